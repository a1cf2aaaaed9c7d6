"""The steps of attention, right and wrong, that bug models are made of.

A step reads and writes a state (attnpack.diagnosis.models). The names in a state, in order:
`x, matrices` -> `Q, K, V` -> `scores` -> `keep` (which keys each query may see) -> `masked`
-> `shifted` -> `weights` -> `attended` -> `joined` -> `output` -> `results`.
"""
