import type { Interaction } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../translation.ts'
import { Field, Form, Way } from './kit.tsx'
import { PasskeyFactor } from './passkey-way.tsx'
import type { StepProps } from './step.ts'
import { useForm } from './use-form.ts'

const CodeForm = ({ act, isRecovery }: Pick<StepProps, 'act'> & { isRecovery: boolean }) => {
  const { t } = useTranslation()
  const field = isRecovery ? 'recovery_code' : 'code'
  const form = useForm(({ code = '' }) => act('factor', { [field]: code.replaceAll(/\s/g, '') }))
  return (
    <Form {...form} submit={t('signIn.submit')}>
      <Field
        name="code"
        label={t(isRecovery ? 'factors.recoveryCode' : 'factors.code')}
        {...(!isRecovery && { hint: t('factors.codeHint'), inputMode: 'numeric' })}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        required
        fault={form.faults['code']}
      />
    </Form>
  )
}

interface FactorProps extends Pick<StepProps, 'act'> {
  interaction: Pick<Interaction, 'methods' | 'account' | 'passkey_options'>
}

export const Factor = ({ interaction, act }: FactorProps) => {
  const { t } = useTranslation()
  const [isRecovery, setRecovery] = useState(false)
  const { methods, account } = interaction
  const hasApp = methods.includes('totp')
  return (
    <>
      <p className="dimmed">{t('factors.secondStepText')}</p>
      {isRecovery && <CodeForm key="recovery" act={act} isRecovery />}
      {!isRecovery && hasApp && <CodeForm key="app" act={act} isRecovery={false} />}
      {!isRecovery && <PasskeyFactor interaction={interaction} act={act} isFirst={!hasApp} />}
      <p className="ways">
        {methods.includes('recovery_code') && (
          <Way onClick={() => setRecovery(!isRecovery)}>
            {t(isRecovery ? 'factors.useOther' : 'factors.useRecovery')}
          </Way>
        )}
        <Way onClick={() => void act('identify', { email: account })}>{t('factors.again')}</Way>
      </p>
    </>
  )
}
