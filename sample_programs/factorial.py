# entry: factorial(4)
def factorial(n):
    if n <= 1:
        return 1
    smaller = factorial(n - 1)
    return n * smaller
