import type { Fault } from './fault.ts'

/** Faults of second factors. */
export const factorFaults: Fault[] = [
  {
    what: 'a challenge without a bound on wrong answers',
    file: 'features/factors/factors.store.ts',
    from: ' and c.wrong_answers < ${answersMax}',
    to: '',
    suite: 'escalation',
  },
  {
    what: 'a factor removed with a session alone',
    file: 'features/factors/factors.service.ts',
    from: 'changingByPassword(ctx, input, async (ctx, { account, factors }) => {',
    to: 'changingOwnFactors(ctx, async (ctx, { account, factors }) => {',
    suite: 'escalation',
  },
  {
    what: 'a code of a second factor works twice',
    file: 'features/factors/factors.store.ts',
    from: ' and is_confirmed and last_step < ${step}',
    to: ' and is_confirmed',
    suite: 'escalation',
  },
  {
    what: 'a session without the second factor that the tenant asks for',
    file: 'access/policies.ts',
    from: 'if (actor.isRestricted || (',
    to: 'if (actor.isSuspended || (',
    suite: 'escalation',
  },
  {
    what: 'a factor of another account removed',
    file: 'features/factors/factors.store.ts',
    from: 'select ${columns} from factors where account_id = ${accountId} and is_confirmed order by',
    to: 'select ${columns} from factors where ${accountId}::bigint > 0 and is_confirmed order by',
    suite: 'isolation',
  },
]
