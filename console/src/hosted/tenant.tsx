import { useState } from 'react'
import { useTranslation } from '../translation.ts'
import { Button, Failure, Field } from './kit.tsx'
import type { StepProps } from './use-interaction.ts'
import { useAct } from './use-form.ts'

/** The most tenants without a search. More do not fit on the page. */
const listedMax = 8

export const Tenant = ({ interaction, act }: StepProps) => {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const { tenants, application } = interaction
  const wanted = typed.trim().toLocaleLowerCase()
  const found = tenants.filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
  return (
    <>
      <p className="dimmed">{t('hosted.tenantText', { name: application.name })}</p>
      {tenants.length > listedMax && (
        <Field
          name="search"
          type="search"
          label={t('hosted.tenantSearch')}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
      <ul className="tenants">
        {found.map(({ id, name }) => (
          <li key={id}>
            <Choice name={name} choose={() => act('tenant', { tenant_id: id })} />
          </li>
        ))}
      </ul>
      <p className="dimmed" role="status">
        {found.length === 0 && t('hosted.tenantNone')}
      </p>
    </>
  )
}

const Choice = ({ name, choose }: { name: string; choose: () => Promise<void> }) => {
  const { isSending, error, run } = useAct(choose)
  return (
    <>
      <Failure error={error} />
      <Button className="tenant" isSending={isSending} onClick={run}>
        <bdi>{name}</bdi>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M9 5l7 7-7 7" />
        </svg>
      </Button>
    </>
  )
}
