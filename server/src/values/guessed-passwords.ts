import { fold } from './text.ts'

/** Passwords that attackers try first: words of examples and default accounts, with digits and marks behind them. */
const guessedFirst =
  /^(?:admin|administrator|changeme|change-me|default|example|letmein|passw[o0]rd|qwerty|root|secret|tenantry|welcome)?[\d!?.#*_-]*$/

/** The rule for passwords that an operator sets. */
export const isGuessedFirst = ({ email, password }: { email: string; password: string }): boolean =>
  guessedFirst.test(fold(password)) || fold(email) === fold(password)

/** Only production refuses such a password. */
export const refusesPassword = (
  { isProduction }: { isProduction: boolean },
  login: { email: string; password: string },
): boolean => isProduction && isGuessedFirst(login)
