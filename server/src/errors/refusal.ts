/** An operator's command cannot run. Each line is a fault that the operator can correct. */
export class Refusal extends Error {
  readonly faults: string[]
  constructor(faults: string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}
