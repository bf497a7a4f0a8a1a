import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from '../translation.ts'
import { discover, lastDiscovered, startOf, type FoundConnection } from './discover.ts'
import { Way } from './kit.tsx'

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
  /** The way by a password, which stays. */
  children: ReactNode
}

/** Offers the provider of the organization first, where the address leads to one. */
export const ProviderFirst = ({ email, interaction, children }: ProviderFirstProps) => {
  const { t } = useTranslation()
  const answer = useFound(email)
  const [isPassword, setPassword] = useState(false)
  if (answer === undefined) return <p className="dimmed">{t('common.loading')}</p>
  const { found } = answer
  if (!found || isPassword) return children
  return (
    <>
      <p>{t('hosted.providerText', { email })}</p>
      <a href={startOf(found, interaction)} className="button primary">
        {t('hosted.providerGo', { tenant: found.tenant.name, name: found.name })}
      </a>
      <p className="center">
        <Way onClick={() => setPassword(true)}>{t('hosted.usePassword')}</Way>
      </p>
    </>
  )
}
