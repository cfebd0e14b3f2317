# entry: <module>
lines = []
for n in range(1, 16):
    if n % 15 == 0:
        lines.append("FizzBuzz")
    elif n % 3 == 0:
        lines.append("Fizz")
    elif n % 5 == 0:
        lines.append("Buzz")
    else:
        lines.append(str(n))
print(" ".join(lines))
