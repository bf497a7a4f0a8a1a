import { useTranslation } from '../translation.ts'
import { Frame } from './frame.tsx'
import type { Interaction } from '@tenantry/client'
import { send } from './send.ts'
import { Field, Form, Notice } from './kit.tsx'
import { useForm } from './use-form.ts'

/** Takes the code that a device shows. It is always typed: a link could be somebody else's. */
export const Device = ({ onFound }: { onFound: (id: string) => void }) => {
  const { t } = useTranslation()
  const form = useForm(async ({ code = '' }) => {
    onFound((await send<Interaction>('POST', '/oauth2/interactions', { user_code: code })).id)
  })
  return (
    <Frame title={t('hosted.device')} takesFocus={false}>
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
          fault={form.faults['code']}
        />
      </Form>
      <Notice kind="warning">{t('hosted.deviceWarning')}</Notice>
    </Frame>
  )
}
