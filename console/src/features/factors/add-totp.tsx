import { Center, Code, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { TotpSecret } from '@tenantry/client'
import { useState } from 'react'
import { encode } from 'uqr'
import { DialogForm } from '../../components/form-dialog.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { client } from '../../session/client.ts'
import { useTranslation } from '../../translation.ts'
import { FactorDialog, ProofForm, useOutcome } from './factor-dialogs.tsx'

export const AddTotp = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const [begun, setBegun] = useState<{ name: string; secret: TotpSecret }>()
  const { codes, finish } = useOutcome(onClose)
  const confirm = async (code: string): Promise<void> => {
    if (!begun) return
    const { recovery_codes: given } = await client.factors.confirmTotp(begun.secret.id, { code })
    await finish(given, t('factors.isAdded', { name: begun.name }))
  }
  return (
    <FactorDialog title={t('factors.addTotp')} codes={codes} onClose={onClose}>
      {begun ? (
        <Confirm secret={begun.secret} confirm={confirm} onClose={onClose} />
      ) : (
        <ProofForm
          text={t('factors.addTotpText')}
          submit={t('factors.next')}
          name={t('factors.kind.totp')}
          send={async (proof) => setBegun({ name: proof.name, secret: await client.factors.addTotp(proof) })}
          onClose={onClose}
        />
      )}
    </FactorDialog>
  )
}

interface ConfirmProps {
  secret: TotpSecret
  confirm: (code: string) => Promise<void>
  onClose: () => void
}

const Confirm = ({ secret, confirm, onClose }: ConfirmProps) => {
  const { t } = useTranslation()
  const form = useForm({ initialValues: { code: '' } })
  const sending = useSubmit(form, ({ code }) => confirm(code.replaceAll(/\s/g, '')))
  return (
    <DialogForm sending={sending} submit={t('factors.confirm')} onCancel={onClose}>
      <Text size="sm">{t('factors.confirmText')}</Text>
      <Center>
        <QrCode text={secret.otpauth_uri} label={t('factors.qr')} />
      </Center>
      <Stack gap={4}>
        <Text size="sm">{t('factors.secret')}</Text>
        <Code block className="whole" aria-label={t('factors.secret')}>
          {secret.secret}
        </Code>
      </Stack>
      <TextInput
        label={t('factors.code')}
        description={t('factors.codeHint')}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        autoFocus
        {...form.getInputProps('code')}
      />
    </DialogForm>
  )
}

/** Dark on white in both colour schemes, because many apps read no inverted code. */
const QrCode = ({ text, label }: { text: string; label: string }) => {
  const { data } = encode(text, { border: 4 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${data.length} ${data.length}`}
      width={220}
      height={220}
      shapeRendering="crispEdges"
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={path.join('')} fill="#000" />
    </svg>
  )
}
