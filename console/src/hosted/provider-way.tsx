import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from '../translation.ts'
import { discover, lastDiscovered, startOf, type FoundConnection } from './discover.ts'
import { Failure, Way } from './kit.tsx'
import { isReason } from './link-token.ts'

/** Undefined until it is known whether there is one. */
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

interface ProviderFirstProps {
  email: string
  interaction: string
  /** Of the password. */
  error: unknown
  /** The way by a password, which stays. */
  children: ReactNode
}

/** Offers the provider of the organization first, where the address leads to one; and alone, where a password is not enough. */
export const ProviderFirst = ({ email, interaction, error, children }: ProviderFirstProps) => {
  const { t } = useTranslation()
  const answer = useFound(email)
  const [isPassword, setPassword] = useState(false)
  if (answer === undefined) return <p className="dimmed">{t('common.loading')}</p>
  const { found } = answer
  const isNeeded = isReason(error, 'connectionNeeded', 'connectionNeededHere')
  if (!found || (isPassword && !isNeeded)) return children
  return (
    <>
      {isNeeded ? <Failure error={error} /> : <p>{t('hosted.providerText', { email })}</p>}
      <a href={startOf(found, interaction)} className="button primary">
        {t('hosted.providerGo', { tenant: found.tenant.name, name: found.name })}
      </a>
      {!isNeeded && (
        <p className="center">
          <Way onClick={() => setPassword(true)}>{t('hosted.usePassword')}</Way>
        </p>
      )}
    </>
  )
}
