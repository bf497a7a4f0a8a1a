import { ok, type Session } from '../../../lab/client.ts'
import { openInternet, type Internet } from '../../internet.ts'
import type { Target } from '../../target.ts'
import { withStage, type Stage as PeopleStage } from '../people/stage.ts'
import { openStage, type Stage } from './stage.ts'

/**
 * An installation that serves clients which no administrator has made. It limits guesses, sends e-mails, logs every request,
 * and takes a server of the proof for the Internet.
 */
export interface OpenStage extends Stage {
  people: PeopleStage
  internet: Internet
}

const settings = {
  LOG_LEVEL: 'info',
  TENANTRY_CLIENT_DOCUMENTS: 'open',
  TENANTRY_CLIENT_REGISTRATION: 'open',
}

/** Whether people of a tenant may authorize clients that no administrator has made. */
const allowUnregistered = async (root: Session, tenant: string): Promise<void> => {
  const path = '/settings/tenant/auth.unregistered_applications'
  ok(await root.call('PUT', path, { value: true }, { tenant }))
}

const stageOf = async (people: PeopleStage, internet: Internet): Promise<OpenStage> => {
  const { short, root, urls, home: tenant } = people
  await allowUnregistered(root, tenant.id)
  return { ...(await openStage({ short, root, urls, tenant })), people, internet }
}

/** Starts the installation for the first proof that needs it. */
export const startLater = (target: Target) => {
  const over = Promise.withResolvers<void>()
  let stage: Promise<OpenStage> | undefined
  let run: Promise<void> | undefined
  const start = async (): Promise<OpenStage> => {
    const internet = await openInternet()
    const opened = Promise.withResolvers<OpenStage>()
    const work = async (people: PeopleStage) => {
      opened.resolve(await stageOf(people, internet))
      await over.promise
    }
    run = withStage(target, work, { ...settings, ...internet.env }).finally(() => internet.close())
    run.catch(opened.reject)
    return opened.promise
  }
  return {
    get: (): Promise<OpenStage> => (stage ??= start()),
    async stop(): Promise<void> {
      over.resolve()
      await run
    },
  }
}
