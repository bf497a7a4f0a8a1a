import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { RecoveryCodes } from '../enrol.tsx'
import { focusOn } from '../kit.tsx'
import { useAccount } from './account.ts'
import { Email } from './email.tsx'
import { Factors } from './factors.tsx'
import { Identities } from './identities.tsx'
import { Password } from './password.tsx'

export const SignInPage = () => {
  const { t } = useTranslation()
  const { user } = useAccount()
  // Only this state holds new recovery codes. They replace the page, because they are shown once.
  const [codes, setCodes] = useState<string[]>([])
  if (codes.length > 0) {
    return (
      <div className="card stack">
        <h2 tabIndex={-1} ref={focusOn}>
          {t('factors.codes')}
        </h2>
        <RecoveryCodes codes={codes} account={user.email} onKept={() => setCodes([])} />
      </div>
    )
  }
  return (
    <>
      <Email />
      <Password />
      <Identities />
      <Factors onCodes={setCodes} />
    </>
  )
}
