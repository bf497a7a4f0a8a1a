import type { Discovered } from '@tenantry/client'
import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from '../translation.ts'
import { Failure, LinkButton } from './kit.tsx'
import { isReason, send } from './send.ts'

type FoundConnection = NonNullable<Discovered['connection']>

/** The newest answer, so that the next step has it at once. */
let newest: { email: string; found: FoundConnection | undefined } | undefined

/**
 * Finds the connection of the address's domain. Also undefined after a failed request, because other sign-in methods
 * are still possible.
 */
export const discover = async (email: string): Promise<FoundConnection | undefined> => {
  const answer = await send<Discovered>('POST', '/api/v1/auth/discover', { email }).catch(() => undefined)
  newest = { email, found: answer?.connection ?? undefined }
  return newest.found
}

/** The newest answer, if it concerns this address. */
export const lastDiscovered = (email: string) => (newest?.email === email ? newest : undefined)

/** The address at which a sign-in by the connection begins. The interaction contains the typed e-mail. */
const startOf = ({ id }: FoundConnection, interaction: string): string =>
  `/sso/start?connection=${id}&interaction=${interaction}`

/** The connection of the address's domain. Undefined before the answer. */
const useFound = (email: string): { found: FoundConnection | undefined } | undefined => {
  const [answer, setAnswer] = useState<{ found: FoundConnection | undefined } | undefined>(() =>
    lastDiscovered(email),
  )
  useEffect(() => {
    const read = async (): Promise<void> => {
      if (!lastDiscovered(email)) setAnswer({ found: await discover(email) })
    }
    void read()
  }, [email])
  return answer
}

/** Passwords and passkeys are then of no use. */
export const isProviderNeeded = (error: unknown): boolean =>
  isReason(error, 'connectionNeeded', 'connectionNeededHere')

interface ProviderFirstProps {
  email: string
  interaction: string
  /** The error of the password form. */
  error: unknown
  /** The password form. */
  children: ReactNode
}

/**
 * Offers the organization's provider before the password form. If the tenant accepts no password, offers only the
 * provider.
 */
export const ProviderFirst = ({ email, interaction, error, children }: ProviderFirstProps) => {
  const { t } = useTranslation()
  const answer = useFound(email)
  const [isPassword, setPassword] = useState(false)
  if (answer === undefined) return <p className="dimmed">{t('common.loading')}</p>
  const { found } = answer
  const isNeeded = isProviderNeeded(error)
  if (!found || (isPassword && !isNeeded)) return children
  return (
    <>
      {isNeeded ? <Failure error={error} /> : <p>{t('hosted.providerText', { email })}</p>}
      <a href={startOf(found, interaction)} className="button primary">
        {t('hosted.providerGo', { tenant: found.tenant.name, name: found.name })}
      </a>
      {!isNeeded && (
        <p className="center">
          <LinkButton onClick={() => setPassword(true)}>{t('hosted.usePassword')}</LinkButton>
        </p>
      )}
    </>
  )
}
