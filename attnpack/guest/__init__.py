"""What runs in the learner's process. Imports nothing of attnpack outside this package
(and `attnpack.value`, which learners of that track import): no oracle, no checks, no seeds.
"""
