# entry: main()
def count_letter(word, letter):
    total = 0
    for ch in word:
        total += int(ch == letter)
    return total


def main():
    return count_letter("berry", "r")
