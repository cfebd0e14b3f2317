//! Predictions from a server: good ones, and everything that servers and networks do wrong.

mod binary;
mod oracle;
mod real;
mod server;

/// A program, and the trace of its run as a perfect model continues it.
const PROGRAM: &str = "\
def add(a, b):
    c = a + b
    return c
n = add(1, 2)
print(n)
";

const TRACE: &str = "\
call 1: <module>

line 1: def add(a, b):

line 4: n = add(1, 2)

call 1: def add(a, b):
a = 1
b = 2

line 2: c = a + b

line 3: return c
c = 3

return 3: return c => 3

line 5: print(n)
n = 3

return 5: print(n) => None

end normal

";
