import { useState } from 'react'
import { saveFile } from '../../components/save-file.ts'
import { client, signOut } from '../../session/client.ts'
import { useTranslation } from '../../translation.ts'
import { Field } from '../kit.tsx'
import { useRead } from '../use-form.ts'
import { useAccount } from './account.ts'
import { DialogButton, ProofForm, Section } from './parts.tsx'

export const DataPage = () => {
  const { t } = useTranslation()
  return (
    <>
      <Section title={t('memberships.exportTitle')} hint={t('memberships.exportHint')}>
        <DialogButton label={t('memberships.exportTitle')}>
          {(close) => <ExportAccount onSaved={close} />}
        </DialogButton>
      </Section>
      <Section title={t('memberships.deleteAccount')} hint={t('memberships.deleteHint')}>
        <DialogButton
          className="danger"
          label={t('memberships.deleteAccount')}
          title={t('memberships.deleteTitle')}
        >
          {() => <DeleteAccount />}
        </DialogButton>
      </Section>
    </>
  )
}

/** Saves the stored data of the person as a file. */
const ExportAccount = ({ onSaved }: { onSaved: () => void }) => {
  const { t } = useTranslation()
  const { say } = useAccount()
  return (
    <>
      <p>{t('memberships.exportAsk')}</p>
      <ProofForm
        submit={t('memberships.exportConfirm')}
        send={async (_, proof) => {
          const file = await client.auth.exportAccount(proof)
          const day = new Date().toISOString().slice(0, 10)
          saveFile([await file.blob()], `personal-data-${day}.json`, 'application/json')
          onSaved()
          say(t('memberships.exported'))
        }}
      />
    </>
  )
}

const DeleteAccount = () => {
  const { t } = useTranslation()
  const { email } = useAccount().user
  const [word, setWord] = useState('')
  return (
    <>
      <Erased />
      <ProofForm
        submit={t('memberships.deleteAccount')}
        isDangerous
        isBlocked={word.trim().toLowerCase() !== email.toLowerCase()}
        send={async (_, proof) => {
          await client.auth.deleteAccount(proof)
          // The service has ended all sessions of the account, so this browser drops its own session.
          await signOut('deleted')
        }}
      >
        <Field
          name="word"
          label={t('common.typeWord', { word: email })}
          autoComplete="off"
          value={word}
          onChange={({ target }) => setWord(target.value)}
        />
      </ProofForm>
    </>
  )
}

const Erased = () => {
  const { t } = useTranslation()
  const { data = [] } = useRead(() => client.auth.memberships())
  return (
    <>
      <p>{t('memberships.erased')}</p>
      <ul className="bullets">
        <li>{t('memberships.erasedAccount')}</li>
        {data.map(({ tenant, username }) => (
          <li key={tenant.id}>{t('memberships.erasedUser', { username, name: tenant.name })}</li>
        ))}
      </ul>
      <p>{t('memberships.erasedForGood')}</p>
    </>
  )
}
