# entry: <module>
VALUES = [(10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]


def roman(n):
    digits = ""
    for value, letters in VALUES:
        while n >= value:
            digits += letters
            n -= value
    return digits


year = roman(19)
print(year)
