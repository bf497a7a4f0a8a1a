import type { Invalidation } from '../cache/cache.ts'
import type { Ctx, Parts } from '../context.ts'
import { ArchiveUnavailable } from '../db/errors.ts'
import { lookAfterMs, type Sender } from '../db/queue.ts'
import { deleteOldKeys, keepIssuer } from '../crypto/rotation.ts'
import { keepPartitions } from '../features/audit/audit/partitions.service.ts'
import { expireApprovals } from '../features/tenancy/approvals/expiry.service.ts'
import { deleteLeftovers, expireAuditLogs } from '../features/audit/audit/retention.service.ts'
import { sealWaiting } from '../features/audit/audit/seal.service.ts'
import { sweepCodes } from '../features/accounts/email-codes/email-codes.service.ts'
import { sweepChallenges } from '../features/accounts/factors/factors.service.ts'
import { sweepSpentChallenges } from '../features/sign-in/robots/robots.service.ts'
import { writeDays } from '../features/tenancy/dashboard/days.service.ts'
import { sweepInvitations } from '../features/tenancy/invitations/invitations.service.ts'
import { createMailSender, sweepMails } from '../features/accounts/mail/sender.service.ts'
import { createLogoutSender } from '../features/federation/oauth/logout/backchannel.service.ts'
import { sweepAuthorizations } from '../features/federation/oauth/sweep.service.ts'
import { sweepSendings } from '../features/delivery/notifications/sendings.service.ts'
import { sweepCatalogue } from '../features/accounts/roles/sweep.service.ts'
import { sweepAttributes } from '../features/configuration/attributes/stored-attributes.service.ts'
import { sweepSettings } from '../features/configuration/settings/secrets.service.ts'
import { warnOfCertificates } from '../features/federation/sso/certificates.service.ts'
import { recheckDomains } from '../features/federation/sso/lapse.service.ts'
import { readAllMetadata } from '../features/federation/sso/metadata-reads.service.ts'
import { closeDueReviews } from '../features/federation/reviews/closing.service.ts'
import { sweepReviews } from '../features/federation/reviews/sweep.service.ts'
import { sweepProviderAttempts } from '../features/federation/providers/sweep.service.ts'
import { endSetupLinks, sweepSetups } from '../features/federation/setup/ending.service.ts'
import { sweepSignInsBySso } from '../features/federation/sso/sweep.service.ts'
import { sweepSessions } from '../features/accounts/sessions/sessions.service.ts'
import { purgeRemovedTenants } from '../features/tenancy/tenants/purge.service.ts'
import { endSupportSessions, expireSupport } from '../features/sign-in/support/ending.service.ts'
import { endElevations, expireElevations } from '../features/accounts/roles/elevations.service.ts'
import { endAssignments } from '../features/accounts/roles/ended.service.ts'
import { warnOfKeyEnds } from '../features/delivery/notifications/key-ends.service.ts'
import { warnOfRoleEnds } from '../features/delivery/notifications/role-ends.service.ts'
import { countMissed } from '../features/delivery/webhooks/missed.service.ts'
import { createDeliverer } from '../features/delivery/webhooks/delivery.service.ts'
import { sweepDeliveries } from '../features/delivery/webhooks/backlog.service.ts'
import { pause, startLoop } from './loop.ts'
import { systemCtx } from './parts.ts'

/** The interval between runs. Rows that wait for maintenance are already unreachable, and only take space. */
const periodMs = 10 * 60_000
/** The longest time that a record waits for its seal. During that time nobody could detect a change of the record. */
const sealingMs = 1000

const isOfArchive = (err: unknown): boolean =>
  err instanceof AggregateError ? err.errors.some(isOfArchive) : err instanceof ArchiveUnavailable

/** Deletes archived records after their seals, even if the deletion of seals fails for some tenants. */
const expireRecords = async (parts: Parts): Promise<void> => {
  const ctx = systemCtx(parts, 'maintenance')
  try {
    await expireAuditLogs(ctx, (db, tenantId, seals) => {
      countMissed(db, tenantId, seals)
      expireApprovals(db, tenantId)
      expireElevations(db, tenantId)
      expireSupport(db, tenantId)
    })
  } finally {
    await deleteLeftovers(ctx)
  }
}

/** Each task runs separately, so that a failed task does not delay the others. */
const tasks: Record<string, (parts: Parts) => Promise<void>> = {
  'purging removed tenants': purgeRemovedTenants,
  'sweeping out expired sessions': sweepSessions,
  'deleting challenges that are over': sweepChallenges,
  'deleting spent proofs of work that are over': sweepSpentChallenges,
  'deleting sign-ins and codes that are over': sweepAuthorizations,
  'deleting sign-ins by connections that are over': sweepSignInsBySso,
  'deleting sign-ins by providers that are over': sweepProviderAttempts,
  'deleting rows of removed permissions and role templates': sweepCatalogue,
  'writing the counts of days that are over': writeDays,
  'deleting expired audit records': expireRecords,
  'making partitions of the audit log': keepPartitions,
  'deleting expired e-mails and links': sweepMails,
  'deleting mailed codes that are over': sweepCodes,
  'deleting invitations that were closed long ago': sweepInvitations,
  'deleting old deliveries of webhooks': sweepDeliveries,
  'deleting notifications sent long ago from the lists of their senders': sweepSendings,
  'deleting versions of settings that were replaced long ago': sweepSettings,
  'deleting values of deleted attributes': sweepAttributes,
  'looking again at the domains of tenants': (parts) => recheckDomains(systemCtx(parts, 'maintenance')),
  'reading metadata of providers again': (parts) => readAllMetadata(systemCtx(parts, 'maintenance')),
  'ending setup links': (parts) => endSetupLinks(systemCtx(parts, 'maintenance')),
  'deleting setup links that ended long ago': sweepSetups,
  'deleting reviews that are older than audit records': sweepReviews,
  'telling managers of certificates that end': (parts) => warnOfCertificates(systemCtx(parts, 'maintenance')),
  'telling of keys that end': (parts) => warnOfKeyEnds(systemCtx(parts, 'maintenance')),
  'telling of roles that end': (parts) => warnOfRoleEnds(systemCtx(parts, 'maintenance')),
  'deleting old keys': (parts) => deleteOldKeys(parts.store, parts.now()),
  'keeping the issuer of tokens': async ({ store, config, now }) => {
    await keepIssuer(store, config.issuer, now())
  },
}

/**
 * Runs the tasks at start and every ten minutes, which also completes work that a crash interrupted. Returns a function
 * that stops them.
 */
export const startMaintenance = (parts: Parts): (() => void) => {
  let isStopped = false
  const run = () => {
    for (const [name, task] of Object.entries(tasks)) {
      task(parts).catch((err: unknown) => {
        if (isOfArchive(err)) parts.metrics.archiveFailures.inc()
        if (!isStopped) parts.log.error({ err }, `${name} failed; it is tried again in ten minutes`)
      })
    }
  }
  const timer = setInterval(run, periodMs)
  timer.unref()
  run()
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}

/**
 * Seals audit records in the second after their commit. All replicas begin at the same moment of their clocks, so that
 * together they seal a tenant once a second. Returns a function that stops the sealing, and resolves when none is in
 * progress.
 */
export const startSealing = (parts: Parts): (() => Promise<void>) => {
  let isIdle = false
  let isAnnounced = false
  const loop = startLoop(parts.log, {
    failure: 'sealing the audit log failed; it is tried again every second',
    round: async (signal) => {
      isIdle = false
      await pause(sealingMs - (parts.now().getTime() % sealingMs), signal)
      isAnnounced = false
      const { failures, hasFound } = await sealWaiting(parts, () => signal.aborted)
      isIdle = failures.size === 0 && !hasFound
      return failures
    },
    pauseMs: () => (isIdle ? lookAfterMs(undefined, parts) : 0),
    wokenMs: 0,
  })
  parts.cache.subscribe((change) => {
    if (change?.kind === 'recorded' || mayQueue('audit', change)) loop.wake()
    if (change?.kind !== 'recorded' || !change.isOwn || isAnnounced) return
    isAnnounced = true
    void parts.cache.publish({ kind: 'queued', queue: 'audit' })
  })
  return loop.stop
}

/** The longest time between two looks at what ends. An end lies at least five minutes ahead of the change that sets it. */
const endingMs = 20_000

/** Each ends what is due, and resolves with the milliseconds until the next end. */
const endings: ((ctx: Ctx) => Promise<number | undefined>)[] = [
  endAssignments,
  endElevations,
  endSupportSessions,
  closeDueReviews,
]

/**
 * Ends authority whose time is over, with its records. Permissions never depend on it: each read of them compares the
 * times. Returns a function that stops it, and resolves when none is in progress.
 */
export const startEnding = (parts: Parts): (() => Promise<void>) => {
  let nextMs = 0
  const loop = startLoop(parts.log, {
    failure: 'ending authority whose time is over failed; it is tried again within 20 seconds',
    round: async () => {
      nextMs = endingMs
      const all = await Promise.all(endings.map((end) => end(systemCtx(parts, 'maintenance'))))
      nextMs = Math.min(endingMs, ...all.map((ms) => ms ?? endingMs))
    },
    pauseMs: () => Math.max(nextMs, 0) + 5,
  })
  return loop.stop
}

type QueueName = Extract<Invalidation, { kind: 'queued' }>['queue']

/** Whether a change can have queued something. Undefined means that changes may be lost. */
const mayQueue = (queue: QueueName, change: Invalidation | undefined): boolean => {
  if (change?.kind === 'queued') return change.queue === queue
  // The end of a session is a change of its own, which can queue a logout token.
  return change === undefined || (queue === 'logout' && change.kind !== 'recorded')
}

/**
 * Looks for due rows: at the times that `pauseMs` sets, and when a replica has queued more. Returns a function that
 * stops looking. After `finish` it leaves the rest to other replicas.
 */
const startLooking = (
  parts: Parts,
  queue: QueueName,
  { round, pauseMs, pollMs }: Pick<Sender, 'pauseMs' | 'pollMs'> & { round: () => Promise<unknown> },
) => {
  const loop = startLoop(parts.log, {
    failure: `looking for what is due failed (${queue}); it is tried again within a second`,
    round: async () => void (await round()),
    pauseMs,
    wokenMs: pollMs,
  })
  parts.cache.subscribe((change) => {
    if (mayQueue(queue, change)) loop.wake()
  })
  return async (finish: () => Promise<void>): Promise<void> => {
    await loop.stop()
    await finish()
    await parts.cache.publish({ kind: 'queued', queue })
  }
}

/**
 * Sends due rows. Returns a function that stops the sending, and resolves when nothing is being sent. Its signal ends
 * the remaining attempts.
 */
const startSender = (parts: Parts, queue: QueueName, sender: Sender) => {
  const end = startLooking(parts, queue, sender)
  return (late: AbortSignal): Promise<void> => {
    late.addEventListener('abort', () => void sender.stop())
    return end(sender.settle)
  }
}

type StopSender = ReturnType<typeof startSender>

export const startSendingMails = (parts: Parts): StopSender => {
  const { mailer } = parts
  return mailer ? startSender(parts, 'mail', createMailSender({ ...parts, mailer })) : async () => {}
}

export const startSendingLogouts = (parts: Parts): StopSender =>
  startSender(parts, 'logout', createLogoutSender(parts))

/**
 * Delivers records to webhooks. Returns a function that stops the deliveries, and resolves when none is in progress.
 */
export const startDelivering = (parts: Parts): (() => Promise<void>) => {
  const deliverer = createDeliverer(systemCtx(parts, 'webhooks'))
  const end = startLooking(parts, 'webhooks', deliverer)
  return () => end(deliverer.stop)
}
