# entry: read_all(["3", "x", "5"])
def read_number(text, log):
    log.append("open")
    try:
        return int(text)
    except ValueError:
        log.append("skip " + text)
        return 0
    finally:
        log.append("close")


def read_all(texts):
    log = []
    total = 0
    for text in texts:
        total += read_number(text, log)
    return total, log
