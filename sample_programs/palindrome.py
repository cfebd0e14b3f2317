# entry: is_palindrome("Never odd or even")
def clean(text):
    letters = ""
    for ch in text.lower():
        if ch.isalpha():
            letters += ch
    return letters


def is_palindrome(text):
    letters = clean(text)
    return letters == letters[::-1]
