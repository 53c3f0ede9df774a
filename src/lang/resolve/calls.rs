//! Functions: how many arguments they take and of which kind.

use super::*;

impl<'a> Resolver<'a> {
    pub(super) fn call(&mut self, name: Name<'a>, arguments: &[Ast<'a>], span: Span) -> Parsed<Typed> {
        let function = name.name;
        let int = |kind: IntKind| Ok(Typed::Int(Int::new(kind, span)));
        match (function, arguments) {
            ("abs" | "sign" | "isqrt", [argument]) => {
                let argument = Box::new(self.int(argument)?);
                let function = match function {
                    "abs" => Function::Abs,
                    "sign" => Function::Sign,
                    _ => Function::Isqrt,
                };
                int(IntKind::Function(function, argument))
            }
            ("is_prime", [argument]) => {
                let kind = BoolKind::IsPrime(Box::new(self.int(argument)?));
                Ok(Typed::Bool(Bool::new(kind, span)))
            }
            ("len", [argument]) => match self.typed(argument)? {
                Typed::List(list, _) => int(IntKind::Length(Box::new(list))),
                Typed::Table(table) => int(IntKind::TableLength(Box::new(table))),
                other => Err(self.mismatch(argument.span, "a list", &other)),
            },
            ("ceildiv", [a, b]) => {
                let (a, b) = (self.int(a), self.int(b));
                int(IntKind::CeilDiv(Box::new(a?), Box::new(b?)))
            }
            ("min" | "max" | "gcd" | "xor", [_, _, ..]) => {
                let values: Vec<Parsed<Int>> = arguments.iter().map(|argument| self.int(argument)).collect();
                int(IntKind::Fold(fold_of(function), values.into_iter().collect::<Parsed<_>>()?))
            }
            ("min" | "max" | "sum" | "product", [argument]) => match self.typed(argument)? {
                Typed::List(list, Entry::Int | Entry::Any) => int(IntKind::FoldList(fold_of(function), Box::new(list))),
                other => {
                    let help = format!("`{function}` takes {}", takes(function));
                    Err(self.mistake(
                        argument.span,
                        format!("expected a list of numbers, found {}", kind_of(&other)),
                        vec![help],
                    ))
                }
            },
            _ => {
                for argument in arguments {
                    let _ = self.typed(argument);
                }
                if let Some(known) = takes_of(function) {
                    let message = format!("`{function}` with {}", arguments_words(arguments.len()));
                    return Err(self.mistake(span, message, vec![format!("`{function}` takes {known}")]));
                }
                Err(self.unknown_function(name))
            }
        }
    }

    pub(super) fn call_over(
        &mut self,
        name: Name<'a>,
        body: &Ast<'a>,
        clauses: &[syntax::Clause<'a>],
        span: Span,
    ) -> Parsed<Typed> {
        let function = name.name;
        match function {
            "sum" | "product" | "min" | "max" => {
                let over = self.over(clauses, |resolver| resolver.int(body))?;
                Ok(Typed::Int(Int::new(IntKind::FoldOver(fold_of(function), Box::new(over)), span)))
            }
            "count" | "any" | "all" => {
                let over = Box::new(self.over(clauses, |resolver| resolver.bool(body))?);
                Ok(match function {
                    "count" => Typed::Int(Int::new(IntKind::Count(over), span)),
                    "any" => Typed::Bool(Bool::new(BoolKind::Any(over), span)),
                    _ => Typed::Bool(Bool::new(BoolKind::All(over), span)),
                })
            }
            _ => match takes_of(function) {
                Some(known) => {
                    let message = format!("`{function}` does not go over a comprehension");
                    Err(self.mistake(span, message, vec![format!("`{function}` takes {known}")]))
                }
                None => Err(self.unknown_function(name)),
            },
        }
    }

    pub(super) fn unknown_function(&mut self, name: Name<'a>) -> Noted {
        let functions: Vec<&str> = FUNCTIONS.iter().map(|(name, _)| *name).collect();
        let mut help = Vec::new();
        if self.names().contains(&name.name) || self.loops.iter().any(|found| found.name == name.name) {
            help.push(format!("`{}` is no function: a product is written `{0} * (…)`, an entry `{0}[…]`", name.name));
        } else if let Some(near) = nearest(name.name, functions.iter().copied().chain(["can", "must"])) {
            help.push(format!("did you mean `{near}`?"));
        }
        help.push(format!("the functions are {}", functions.join(", ")));
        self.mistake(name.span, format!("unknown function `{}`", name.name), help)
    }
}

pub(super) fn fold_of(function: &str) -> Fold {
    match function {
        "min" => Fold::Min,
        "max" => Fold::Max,
        "gcd" => Fold::Gcd,
        "xor" => Fold::Xor,
        "product" => Fold::Product,
        _ => Fold::Sum,
    }
}

pub(super) fn takes_of(function: &str) -> Option<&'static str> {
    FUNCTIONS.iter().find(|(name, _)| *name == function).map(|(_, takes)| *takes)
}

pub(super) fn takes(function: &str) -> &'static str {
    takes_of(function).unwrap_or("something else")
}

pub(super) fn arguments_words(n: usize) -> String {
    plural(n, "argument", "arguments")
}
