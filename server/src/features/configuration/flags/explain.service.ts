import type { Ctx } from '../../../context.ts'
import { invalid } from '../../../errors/app-error.ts'
import { faultOf, trusted } from './contexts.ts'
import { readyFlag } from './evaluation.ts'
import type { ExplainFlag, FlagExplanation } from './flags.schemas.ts'
import { flagUnknown } from './flags.service.ts'
import { selectHeldFlags } from './flags.store.ts'

/** The variant for a context, and the reason. Throws 400 if a split needs a targeting key that is missing. */
export const explainFlag = async (
  { db }: Ctx,
  key: string,
  { context: given }: ExplainFlag,
): Promise<FlagExplanation> => {
  const fault = faultOf(given)
  if (fault !== undefined) throw invalid('context', fault)
  const [row] = await selectHeldFlags(db, [key])
  if (!row) throw flagUnknown()
  const { context, tenantId } = trusted(given)
  const chosen = readyFlag(row).choose(context, tenantId)
  if ('missing' in chosen) {
    throw invalid('context', `must have a targetingKey: the rule ${chosen.ruleId} splits by it`)
  }
  const { variant, reason, ruleId = '', bucket = null } = chosen
  return { variant, value: row.variants[variant], reason, rule_id: ruleId, bucket, salt: row.salt }
}
