/** Why an operator's command does nothing: a line for each reason, as they can mend it. */
export class Refusal extends Error {
  readonly faults: string[]
  constructor(faults: string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}
