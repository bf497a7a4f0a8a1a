import type { Parts } from '../context.ts'
import { ArchiveUnavailable } from '../db/errors.ts'
import { deleteOldKeys, keepIssuer } from '../crypto/rotation.ts'
import { keepPartitions } from '../features/audit/audit/partitions.service.ts'
import { deleteLeftovers, expireAuditLogs } from '../features/audit/audit/retention.service.ts'
import { sealWaiting } from '../features/audit/audit/seal.service.ts'
import { sweepChallenges } from '../features/accounts/factors/factors.service.ts'
import { writeDays } from '../features/tenancy/dashboard/days.service.ts'
import { sweepInvitations } from '../features/tenancy/invitations/invitations.service.ts'
import { createSender, sweepMails } from '../features/accounts/mail/sender.service.ts'
import { createLogoutSender } from '../features/federation/oauth/backchannel.service.ts'
import { sweepAuthorizations } from '../features/federation/oauth/sweep.service.ts'
import { sweepSendings } from '../features/delivery/notifications/sendings.service.ts'
import { sweepCatalogue } from '../features/accounts/roles/sweep.service.ts'
import { sweepSettings } from '../features/configuration/settings/secrets.service.ts'
import { warnOfCertificates } from '../features/federation/sso/certificates.service.ts'
import { recheckDomains } from '../features/federation/sso/lapse.service.ts'
import { readAllMetadata } from '../features/federation/sso/metadata-reads.service.ts'
import { sweepSignInsBySso } from '../features/federation/sso/sweep.service.ts'
import { sweepSessions } from '../features/accounts/sessions/sessions.service.ts'
import { purgeRemovedTenants } from '../features/tenancy/tenants/purge.service.ts'
import { countMissed } from '../features/delivery/webhooks/missed.service.ts'
import { createDeliverer } from '../features/delivery/webhooks/delivery.service.ts'
import { sweepDeliveries } from '../features/delivery/webhooks/backlog.service.ts'
import { startLoop } from './loop.ts'
import { systemCtx } from './parts.ts'

/** Rows that wait for maintenance are already unreachable, and only occupy space. */
const periodMs = 10 * 60_000
/** The longest time that a record waits for its seal. Before it, nobody would detect a change of the record. */
const sealingMs = 1000

/** An e-mail waits this long for a replica, besides the time of the e-mails before it. */
const mailMs = 1000

/** A logout token waits this long for a replica. docs/contract.md, "Sign in with Tenantry", promises 2 s. */
const logoutMs = 500

/** A sealed record waits this long for a replica. */
const deliveryMs = 250

const isOfArchive = (err: unknown): boolean =>
  err instanceof AggregateError ? err.errors.some(isOfArchive) : err instanceof ArchiveUnavailable

/** Archived records are deleted after their seals, even if deleting seals fails for some tenants. */
const expireRecords = async (parts: Parts): Promise<void> => {
  const ctx = systemCtx(parts, 'maintenance')
  try {
    await expireAuditLogs(ctx, countMissed)
  } finally {
    await deleteLeftovers(ctx)
  }
}

/** Each task runs separately, so that a failure of one does not delay the others. */
const tasks: Record<string, (parts: Parts) => Promise<void>> = {
  'purging removed tenants': purgeRemovedTenants,
  'sweeping out expired sessions': sweepSessions,
  'deleting challenges that are over': sweepChallenges,
  'deleting sign-ins and codes that are over': sweepAuthorizations,
  'deleting sign-ins by connections that are over': sweepSignInsBySso,
  'deleting rows of removed permissions and role templates': sweepCatalogue,
  'writing the counts of days that are over': writeDays,
  'deleting expired audit records': expireRecords,
  'making partitions of the audit log': keepPartitions,
  'deleting expired e-mails and links': sweepMails,
  'deleting invitations that were closed long ago': sweepInvitations,
  'deleting old deliveries of webhooks': sweepDeliveries,
  'deleting notifications sent long ago from the lists of their senders': sweepSendings,
  'deleting versions of settings that were replaced long ago': sweepSettings,
  'looking again at the domains of tenants': (parts) => recheckDomains(systemCtx(parts, 'maintenance')),
  'reading metadata of providers again': (parts) => readAllMetadata(systemCtx(parts, 'maintenance')),
  'telling managers of certificates that end': (parts) => warnOfCertificates(systemCtx(parts, 'maintenance')),
  'deleting old keys': (parts) => deleteOldKeys(parts.store, parts.now()),
  'keeping the issuer of tokens': async ({ store, config, now }) => {
    await keepIssuer(store, config.issuer, now())
  },
}

/**
 * Runs the tasks at start and every ten minutes, which also finishes work that a crash interrupted. Returns a function
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
 * Seals audit records every second. All replicas begin at the same moment by their clocks, so that together they seal
 * a tenant once a second. Returns a function that stops it. It resolves when no sealing is in progress.
 */
export const startSealing = (parts: Parts): (() => Promise<void>) =>
  startLoop(parts.log, {
    failure: 'sealing the audit log failed; it is tried again every second',
    round: (signal) => sealWaiting(parts, () => signal.aborted),
    pauseMs: () => sealingMs - (parts.now().getTime() % sealingMs),
  })

/**
 * Sends the due e-mails, and checks for new ones every second. Returns a function that stops it. It resolves when no
 * e-mail is being sent. Its signal ends the remaining attempts.
 */
export const startSending = (parts: Parts): ((late: AbortSignal) => Promise<void>) => {
  if (!parts.mailer) return async () => {}
  const sender = createSender(parts)
  let taken = 0
  const stop = startLoop(parts.log, {
    failure: 'looking for e-mails failed; it is tried again every second',
    round: async () => {
      taken = 0
      taken = await sender.round()
    },
    pauseMs: () => (taken > 0 ? 0 : mailMs),
  })
  return async (late) => {
    late.addEventListener('abort', () => void sender.stop())
    await stop()
    await sender.settle()
  }
}

/**
 * Sends the due logout tokens, and checks for new ones twice a second. Returns a function that stops it. It resolves
 * when no attempt is in progress.
 */
export const startSendingLogouts = (parts: Parts): (() => Promise<void>) => {
  const sender = createLogoutSender(parts)
  let taken = 0
  const stop = startLoop(parts.log, {
    failure: 'looking for logout tokens failed; it is tried again twice a second',
    round: async () => {
      taken = 0
      taken = await sender.round()
    },
    pauseMs: () => (taken > 0 ? 10 : logoutMs),
  })
  return async () => {
    await stop()
    await sender.settle()
  }
}

/**
 * Delivers records to webhooks, and checks for new ones four times a second, or less often if a check takes long.
 * Returns a function that stops it. It resolves when no delivery is in progress.
 */
export const startDelivering = (parts: Parts): (() => Promise<void>) => {
  const deliverer = createDeliverer(systemCtx(parts, 'webhooks'))
  const stop = startLoop(parts.log, {
    failure: 'looking for deliveries failed; it is tried again within a second',
    round: () => deliverer.round(),
    pauseMs: () => deliveryMs,
  })
  return async () => {
    await stop()
    await deliverer.stop()
  }
}
