# entry: primes_up_to(20)
def primes_up_to(limit):
    numbers = range(2, limit + 1)
    composites = {m for n in numbers for m in range(n * n, limit + 1, n)}
    return [n for n in numbers if n not in composites]
