"""The small trained transformer, run by numpy; its files lie here too."""
