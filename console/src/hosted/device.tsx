import { useState } from 'react'
import { useTranslation } from '../translation.ts'
import { Frame } from './frame.tsx'
import type { Interaction } from '@tenantry/client'
import { send } from './send.ts'
import { Button, Failure, Field, Form, LinkButton, Notice } from './kit.tsx'
import { useAct, useForm } from './use-form.ts'

interface DeviceProps {
  /** The user code of a link; undefined if the person types one. */
  linked: string | undefined
  onFound: (id: string) => void
}

/**
 * Asks for the user code of a device (RFC 8628). If a link contained the code, the person must compare it, because an
 * attacker may have sent the link.
 */
export const Device = ({ linked, onFound }: DeviceProps) => {
  const { t } = useTranslation()
  const [code, setCode] = useState(linked)
  const find: Find = async (text) =>
    onFound((await send<Interaction>('POST', '/oauth2/interactions', { user_code: text })).id)
  return (
    <Frame title={t('hosted.device')} takesFocus={false}>
      {code === undefined ? (
        <Typed find={find} />
      ) : (
        <Linked code={code} find={find} onOther={() => setCode(undefined)} />
      )}
      <Notice kind="warning">{t('hosted.deviceWarning')}</Notice>
    </Frame>
  )
}

/** Finds the device with this code. */
type Find = (code: string) => Promise<void>

const Typed = ({ find }: { find: Find }) => {
  const { t } = useTranslation()
  const form = useForm(({ code = '' }) => find(code))
  return (
    <>
      <p className="dimmed">{t('hosted.deviceText')}</p>
      <Form {...form} submit={t('hosted.next')}>
        <Field
          name="code"
          className="code"
          label={t('hosted.deviceCode')}
          hint={t('hosted.deviceHint')}
          autoComplete="off"
          autoCapitalize="characters"
          maxLength={16}
          required
          autoFocus
        />
      </Form>
    </>
  )
}

const Linked = ({ code, find, onOther }: { code: string; find: Find; onOther: () => void }) => {
  const { t } = useTranslation()
  const confirming = useAct(() => find(code))
  return (
    <>
      <p className="dimmed">{t('hosted.deviceCompare')}</p>
      <dl className="facts">
        <dt>{t('hosted.deviceCode')}</dt>
        <dd className="code">{code}</dd>
      </dl>
      <Failure error={confirming.error} />
      <Button className="primary" isSending={confirming.isSending} onClick={confirming.run}>
        {t('hosted.deviceSame')}
      </Button>
      <p className="center">
        <LinkButton onClick={onOther}>{t('hosted.deviceOther')}</LinkButton>
      </p>
    </>
  )
}
