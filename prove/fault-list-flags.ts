import type { Fault } from './fault.ts'

const suite = 'flags'

/** Faults of feature flags. Each names the promise that it breaks. */
export const flagFaults: Fault[] = [
  {
    what: 'the tenant of a context is believed',
    file: 'features/configuration/flags/contexts.ts',
    from: '      tenant_id: tenantId,\n',
    to: '',
    suite,
    promise: 'a user is nobody else in a context, and a key is trusted',
  },
  {
    what: 'the override is that of the tenant in the context',
    file: 'features/configuration/flags/contexts.ts',
    from: '    },\n    tenantId,\n  )',
    to: "    },\n    String(Reflect.get(given, 'tenant_id') ?? tenantId),\n  )",
    suite,
    promise: 'a user is nobody else in a context, and a key is trusted',
  },
  {
    what: 'users see flags of the server side',
    file: 'features/configuration/flags/ofrep.service.ts',
    from: 'key !== undefined || flag.isClientSide',
    to: "key !== undefined || flag.key !== ''",
    suite,
    promise: 'flags of the server side are neither listed nor told to users',
  },
  {
    what: 'the tag leaves the context out',
    file: 'features/configuration/flags/ofrep.service.ts',
    from: '`${text()}\\n${json}`',
    to: '`${text().slice(0, 0)}${json}`',
    suite,
    promise: 'a tag spares an answer for the same context alone',
  },
  {
    what: 'If-Match is not looked at',
    file: 'values/entity-tags.ts',
    from: 'if (ifMatch === undefined) return',
    to: "if (ifMatch !== 'never') return",
    suite,
    promise: 'an update is lost by nobody who names its version',
  },
  {
    what: 'a share reaches one bucket too far',
    file: 'features/configuration/flags/evaluation.ts',
    from: 'if (sum > bucket) return variant',
    to: 'if (sum + 20_000 > bucket) return variant',
    suite,
    promise: 'an explanation says what evaluation does, by the published bucket',
  },
  {
    what: 'no replica hears of a changed flag',
    file: 'features/configuration/flags/known-flags.service.ts',
    from: "if (change === undefined || change.kind === 'flags') remembered",
    to: 'if (change === undefined) remembered',
    suite,
    promise: 'a change counts for the next evaluation',
  },
]
