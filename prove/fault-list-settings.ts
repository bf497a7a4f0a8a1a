import type { Fault } from './fault.ts'

/** Faults of declared settings. */
export const settingsFaults: Fault[] = [
  {
    what: 'a lock does not pass over the values of tenants',
    file: 'features/configuration/settings/effective.service.ts',
    from: "  !(definition.is_locked && scope !== 'global') &&\n",
    to: '',
    suite: 'settings',
  },
  {
    what: 'a write does not ask the declaration',
    file: 'features/configuration/settings/writes.service.ts',
    from: '  requireDeclared(declaration, scopeOf(write.place), write.value)\n',
    to: '',
    suite: 'settings',
  },
  {
    what: 'a person reads secrets',
    file: 'features/configuration/settings/secrets.service.ts',
    from: '  requireKey(ctx.actor)\n',
    to: '',
    suite: 'settings',
  },
  {
    what: 'the version of a write is not compared',
    file: 'features/configuration/settings/writes.service.ts',
    from: '      requireVersion(write.ifMatch, present)\n',
    to: '',
    suite: 'settings',
  },
  {
    what: 'a replica does not hear of a change of settings',
    file: 'features/accounts/user-settings/effective-memory.service.ts',
    from: '    forget: answers.forget,\n',
    to: '    forget: () => {},\n',
    suite: 'settings',
  },
  {
    what: 'each rule that a value keeps is put into words',
    file: 'features/configuration/settings/schema-validator.ts',
    from: '  if (!holds && run.faults && run.faults.length < faultsMax) {\n    run.faults.push({ field: pointerTo(run.place), message: words[rule](schema) })',
    to: '  const message = words[rule](schema)\n  if (!holds && run.faults && run.faults.length < faultsMax) {\n    run.faults.push({ field: pointerTo(run.place), message })',
    suite: 'settings',
    promise: 'the worst value of a declared setting',
  },
]
