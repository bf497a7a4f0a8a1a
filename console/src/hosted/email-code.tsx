import { useState } from 'react'
import { useTranslation } from '../translation.ts'
import { Button, CodeField, Failure, Form, LinkButton, Notice } from './kit.tsx'
import { send } from './send.ts'
import { useAct, useForm, useOptions } from './use-form.ts'
import { useWork, Working } from './use-work.tsx'
import type { StepProps } from './use-interaction.ts'

interface EmailCodeProps extends StepProps {
  onOther: () => void
  onPassword: () => void
}

/** Takes the code that was mailed. The page is the same for an address without an account. */
export const EmailCode = ({ interaction, act, onOther, onPassword }: EmailCodeProps) => {
  const { t } = useTranslation()
  const { id, account, methods } = interaction
  const [isSentAgain, setSentAgain] = useState(false)
  const form = useForm(({ code = '' }) => act('email-code', { code }))
  const { withWork, isWorking } = useWork(useOptions())
  const sending = useAct(async () => {
    // Not sent by `act`, because the answer of an act mounts the step again.
    await withWork((work) => send('POST', `/oauth2/interactions/${id}/email-code`, work))
    setSentAgain(true)
  })
  return (
    <>
      <p>{t('hosted.emailCodeText', { email: account })}</p>
      <div role="status">{isSentAgain && <Notice kind="good">{t('hosted.emailCodeSent')}</Notice>}</div>
      <Form {...form} submit={t('signIn.submit')}>
        <CodeField hint={t('hosted.emailCodeHint')} />
      </Form>
      <Working isWorking={isWorking} />
      <Failure error={sending.error} />
      <p className="link-buttons">
        <LinkButton onClick={sending.run}>{t('hosted.emailCodeAgain')}</LinkButton>
        {methods.includes('password') && (
          <LinkButton onClick={onPassword}>{t('hosted.usePassword')}</LinkButton>
        )}
        <LinkButton onClick={onOther}>{t('hosted.otherAddress')}</LinkButton>
      </p>
    </>
  )
}

/** Asks for a code by mail. */
export const EmailCodeButton = ({ act }: Pick<StepProps, 'act'>) => {
  const { t } = useTranslation()
  const { withWork, isWorking } = useWork(useOptions())
  const { isSending, error, run } = useAct(() => withWork((work) => act('email-code', work)))
  return (
    <>
      <Working isWorking={isWorking} />
      <Failure error={error} />
      <Button isSending={isSending} onClick={run}>
        {t('hosted.emailCodeMail')}
      </Button>
    </>
  )
}
