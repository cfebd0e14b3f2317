def collatz(limit):
    longest, best = 0, 0
    for start in range(1, limit):
        n, steps = start, 0
        while n != 1:
            if n % 2:
                n = 3 * n + 1
            else:
                n //= 2
            steps += 1
        if steps > longest:
            longest, best = steps, start
    return best, longest


print(collatz(700))
