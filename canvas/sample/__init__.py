"""Synthetic contributions with planted personal data: `python -m canvas.sample --seed 7 --out DIR`.

Every person, number and address in them is invented or reserved for examples.
"""
