# entry: most_common("the cat and the dog and the bird")
def count_words(text):
    counts = {}
    for word in text.split():
        counts[word] = counts.get(word, 0) + 1
    return counts


def most_common(text):
    counts = count_words(text)
    best = None
    for word, count in counts.items():
        if best is None or count > counts[best]:
            best = word
    return best
