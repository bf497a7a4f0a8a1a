import type { Fault } from './fault.ts'

const tried = { suite: 'archive', stores: 'services', isAlone: true } as const

/** Faults of archives. Each names the promise that it breaks. */
export const archiveFaults: Fault[] = [
  {
    what: 'sealing looks into archives',
    file: 'features/audit/audit/seal.service.ts',
    from: '  const { floor } = archives.known()\n',
    to: '  const floor = Math.min(0, archives.known().floor)\n',
    ...tried,
    promise: 'while an archive is away all else goes on, and no list is shorter',
  },
  {
    what: 'the young part counts as the whole log',
    file: 'features/audit/audit/young-first.service.ts',
    from: '(await isEnough(young)) ? young',
    to: '(await isEnough(young)) || young ? young',
    ...tried,
    promise: 'while an archive is away all else goes on, and no list is shorter',
  },
  {
    what: 'expired records stay in archives',
    file: 'start/maintenance.ts',
    from: '    await deleteLeftovers(ctx)\n',
    to: '    await Promise.resolve(deleteLeftovers)\n',
    ...tried,
    promise: 'expired records leave an archive, also when it was away',
  },
  {
    what: 'records of a removed tenant stay',
    file: 'features/tenancy/tenants/tenants.store.ts',
    from: "'audit_unsealed', 'audit_logs', 'audit_leftovers'",
    to: "'audit_unsealed', 'audit_leftovers'",
    ...tried,
    promise: 'a removed tenant leaves an archive, also when it was away',
  },
  {
    what: 'a move forgets the records that it did not copy',
    file: 'db/archive-copy.ts',
    from: ') to stdout (format binary)`',
    to: ' and id % 7 > 0) to stdout (format binary)`',
    ...tried,
    promise: 'a move to another server that is killed anywhere leaves each record in one readable place',
  },
]
