import type { Fault } from './fault.ts'

const suite = 'webhooks'

/** Faults of webhooks. Each names the promise that it breaks. */
export const webhookFaults: Fault[] = [
  {
    what: 'a refused delivery counts as taken',
    file: 'outbound/post.ts',
    from: 'const isTaken = status >= 200 && status < 300',
    to: 'const isTaken = status >= 200',
    suite,
    promise: 'a failed delivery is repeated, and those behind it wait',
  },
  {
    what: 'the place moves before the delivery',
    file: 'features/delivery/webhooks/slice.service.ts',
    from: '  await turn.next()\n',
    to: '  await store(slice, { ...state, position: event.next })\n  await turn.next()\n',
    suite,
    promise: 'a failed delivery is repeated, and those behind it wait',
  },
  {
    what: 'deliveries are signed without their time',
    file: 'features/delivery/webhooks/signing.ts',
    from: 'signatureOf(`${id}.${timestamp}.${body}`, secret)',
    to: 'signatureOf(`${id}.${body}`, secret)',
    suite,
    promise: 'an event is the audit record, signed, and of the own tenant',
  },
  {
    what: 'the patterns of a webhook are ignored',
    file: 'features/delivery/webhooks/patterns.ts',
    from: 'patterns.some((pattern) => matches(pattern, action))',
    to: 'patterns.length > 0',
    suite,
    promise: 'an event is the audit record, signed, and of the own tenant',
  },
  {
    what: 'the lease of a killed replica does not end',
    file: 'features/delivery/webhooks/deliveries.store.ts',
    from: 'where webhook_leases.replica_id = excluded.replica_id or webhook_leases.ends_at <= now()',
    to: 'where webhook_leases.replica_id = excluded.replica_id',
    suite,
    promise: 'another replica goes on within 10 s',
    stores: 'services',
  },
  {
    what: 'addresses are not judged',
    file: 'outbound/addresses.ts',
    from: 'if (!addresses.every(isAllowed))',
    to: 'if (!addresses.some(() => isAllowed))',
    suite,
    promise: 'nothing is sent to an address inside',
    stores: 'services',
  },
  {
    what: 'an attempt has no limit',
    file: 'outbound/exchange.ts',
    from: 'setTimeout(() => limit.reject(',
    to: 'setTimeout(() => void (',
    suite,
    promise: 'a receiver that does not end its answer keeps a webhook for 10 s at most',
    isAlone: true,
  },
  {
    what: 'slow receivers keep the places of quick ones',
    file: 'features/delivery/webhooks/slots.ts',
    from: 'isSlow || (waitsSince',
    to: 'isSlow && (waitsSince',
    suite,
    promise: 'other tenants are served within 5 s, however many slow receivers there are',
    isAlone: true,
  },
]
