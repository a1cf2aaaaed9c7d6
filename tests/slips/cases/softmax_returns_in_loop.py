# softmax, value
import math


def softmax(scores):
    rows = []
    for row in scores:
        m = max(row)
        e = [(s - m).exp() for s in row]
        total = sum(e)
        rows.append([x / total for x in e])
        return rows  # here: returns-early
