//! The questions of `postern init` on a terminal.
use crate::app::init::setting::{OPERATOR, Plan, QUESTIONS, Question};
use crate::config::{Config, named};
use postern_core::sign_in::EmailAddress;
use std::io::{BufRead, Write};

/// Asks for all that no flag and no environment variable has given. An answer that is wrong is asked for again.
pub fn ask(plan: &mut Plan, input: &mut impl BufRead, output: &mut impl Write) -> anyhow::Result<()> {
    for question in QUESTIONS {
        while !is_answered(plan, question) {
            let default = if question.is_required { String::new() } else { format!(" [{}]", question.default) };
            write!(output, "{}{default}: ", question.text)?;
            output.flush()?;
            let mut line = String::new();
            anyhow::ensure!(input.read_line(&mut line)? > 0, "the questions were not answered: nothing was written");
            let answer = line.trim();
            if answer.is_empty() {
                if question.is_required {
                    continue;
                }
                break;
            }
            plan.set(question.name, answer);
            if let Some(problem) = problem_of(plan, question) {
                writeln!(output, "  {problem}")?;
                plan.unset(question.name);
            }
        }
    }
    Ok(())
}

fn is_answered(plan: &Plan, question: &Question) -> bool {
    if question.name == OPERATOR { !plan.operator.is_empty() } else { plan.variables.contains_key(question.name) }
}

fn problem_of(plan: &Plan, question: &Question) -> Option<String> {
    if question.name == OPERATOR {
        let is_address = EmailAddress::parse(&plan.operator).is_some();
        return (!is_address).then(|| format!("`{}` is not an e-mail address", plan.operator));
    }
    let wrong = Config::read(&plan.variables).err()?;
    wrong.into_iter().find(|problem| named(problem) == Some(question.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_answer_is_asked_for_again_and_an_empty_one_leaves_the_default() {
        let mut plan = Plan::default();
        plan.set("POSTERN_ENV", "production");
        plan.set("POSTERN_SHOP_NAME", "Northlight");
        let answers =
            "\nnorthlight.io\nhttps://northlight.io\n\n\n\nnobody\nhelp@northlight.io\n\n\nann\nann@northlight.io\n";
        let mut said = Vec::new();
        ask(&mut plan, &mut answers.as_bytes(), &mut said).expect("answers");
        let said = String::from_utf8(said).expect("text");
        assert_eq!(plan.operator, "ann@northlight.io");
        assert_eq!(plan.variables["POSTERN_PUBLIC_URL"], "https://northlight.io");
        assert_eq!(plan.variables["POSTERN_SUPPORT_EMAIL"], "help@northlight.io");
        assert!(!plan.variables.contains_key("DATABASE_URL") && !said.contains("Name of the shop"), "{said}");
        assert!(said.contains("POSTERN_PUBLIC_URL is `northlight.io`"), "{said}");
        assert!(said.contains("`nobody`") && said.contains("`ann` is not an e-mail address"), "{said}");
        assert!(ask(&mut Plan::default(), &mut &b""[..], &mut Vec::new()).is_err(), "the input ended");
    }
}
