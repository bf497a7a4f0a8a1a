import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Factor } from '@tenantry/client'
import { Alert, Button, Code, Group, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconAlertTriangle, IconCheck, IconCopy, IconDownload, IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { createPortal } from 'react-dom'
import { DialogForm, FormDialog } from '../../components/form-dialog.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { saveFile } from '../../components/save-file.ts'
import { useCopy } from '../../components/use-copy.ts'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { client } from '../../session/client.ts'
import { createPasskey } from '../../session/passkey.ts'
import { useTranslation } from '../../translation.ts'
import { useRenewFactors } from './factors.queries.ts'

interface FactorDialogProps {
  title: string
  /** The new recovery codes, which replace the form. */
  codes: string[] | undefined
  onClose: () => void
  children: ReactNode
}

/** A window with a form, which then shows recovery codes once. Only one component's state holds the codes. */
export const FactorDialog = ({ title, codes, onClose, children }: FactorDialogProps) => {
  const { t } = useTranslation()
  const [isKept, setKept] = useState(false)
  return (
    <FormDialog
      title={codes ? t('factors.codes') : title}
      isDirty={codes !== undefined && !isKept}
      question={{
        title: t('factors.unkeptTitle'),
        confirm: t('factors.closeUnkept'),
        children: t('factors.unkeptText'),
      }}
      closeOnClickOutside={false}
      onClose={onClose}
    >
      {(close) =>
        codes ? <RecoveryCodes codes={codes} onKept={() => setKept(true)} onClose={close} /> : children
      }
    </FormDialog>
  )
}

/** Ends a change: the window shows its new codes. Without new codes the window closes. */
export const useOutcome = (onClose: () => void) => {
  const notify = useNotify()
  const renew = useRenewFactors()
  const [codes, setCodes] = useState<string[]>()
  const finish = async (given: string[], done?: string): Promise<void> => {
    if (given.length > 0) setCodes(given)
    else onClose()
    if (done !== undefined) notify(done)
    await renew()
  }
  return { codes, finish }
}

interface ProofDialogProps extends Omit<ProofFormProps, 'send'> {
  title: string
  /** Resolves to the new recovery codes, if there are any. */
  send: (proof: Proof) => Promise<string[]>
  /** The notice of success. */
  done?: (proof: Proof) => string
}

/** A change of the second factors that needs the password. */
const ProofDialog = ({ title, send, done, ...form }: ProofDialogProps) => {
  const { codes, finish } = useOutcome(form.onClose)
  return (
    <FactorDialog title={title} codes={codes} onClose={form.onClose}>
      <ProofForm {...form} send={async (proof) => finish(await send(proof), done?.(proof))} />
    </FactorDialog>
  )
}

export const AddPasskey = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  return (
    <ProofDialog
      title={t('factors.addPasskey')}
      text={t('factors.addPasskeyText')}
      submit={t('factors.next')}
      name={t('factors.passkeyDevice')}
      send={async ({ name, password }) => {
        const response = await createPasskey(await client.factors.beginPasskey({ password }))
        return (await client.factors.addPasskey({ name, response })).recovery_codes
      }}
      done={({ name }) => t('factors.isAdded', { name })}
      onClose={onClose}
    />
  )
}

export const RemoveFactor = ({ factor, onClose }: { factor: Factor; onClose: () => void }) => {
  const { t } = useTranslation()
  const { id, name } = factor
  return (
    <ProofDialog
      title={t('factors.removeOne', { name })}
      text={t('factors.removeText')}
      submit={t('factors.remove')}
      color="red.9"
      send={async ({ password }) => {
        await client.factors.remove(id, { password })
        return []
      }}
      done={() => t('factors.isRemoved', { name })}
      onClose={onClose}
    />
  )
}

export const NewCodes = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  return (
    <ProofDialog
      title={t('factors.newCodes')}
      text={t('factors.newCodesText')}
      submit={t('factors.newCodes')}
      send={async ({ password }) => (await client.factors.renewRecoveryCodes({ password })).recovery_codes}
      onClose={onClose}
    />
  )
}

interface Proof {
  name: string
  password: string
}

interface ProofFormProps {
  text: string
  submit: string
  color?: string
  /** The initial name. Without it, the form does not ask for a name. */
  name?: string
  send: (proof: Proof) => Promise<void>
  onClose: () => void
}

/** Asks for the password before a change of the second factors. */
export const ProofForm = ({ text, submit, color = 'indigo', name, send, onClose }: ProofFormProps) => {
  const { t } = useTranslation()
  // The service's refusal of the password names this field.
  const form = useForm({ initialValues: { name: name ?? '', old_password: '' } })
  const sending = useSubmit(form, (values) => send({ name: values.name, password: values.old_password }))
  return (
    <DialogForm {...{ sending, submit, color }} onCancel={onClose}>
      <Text size="sm">{text}</Text>
      {name !== undefined && (
        <TextInput
          label={t('fields.name')}
          required
          maxLength={64}
          autoComplete="off"
          {...form.getInputProps('name')}
        />
      )}
      <PasswordField
        label={t('profile.oldPassword')}
        autoComplete="current-password"
        required
        data-autofocus
        {...form.getInputProps('old_password')}
      />
    </DialogForm>
  )
}

interface RecoveryCodesProps {
  codes: string[]
  onKept: () => void
  onClose: () => void
}

const RecoveryCodes = ({ codes, onKept, onClose }: RecoveryCodesProps) => {
  const { t } = useTranslation()
  const text = codes.join('\n')
  const { copying, copy } = useCopy(text, onKept)
  const button = useRef<HTMLButtonElement>(null)
  // The focused button disappeared with the form.
  useEffect(() => button.current?.focus(), [])
  // The codes belong to the account, also while another tenant is in scope.
  const save = (): void => {
    const day = new Date().toISOString().slice(0, 10)
    saveFile([`${text}\n`], `recovery-codes-${location.hostname}-${day}.txt`, 'text/plain;charset=utf-8')
    onKept()
  }
  return (
    <Stack>
      <Alert color="yellow" icon={<IconAlertTriangle />} title={t('factors.codesOnce')}>
        {t('factors.codesOnceText')}
      </Alert>
      <Code block aria-label={t('factors.codes')}>
        {text}
      </Code>
      {copying === 'failed' && (
        <Text size="sm" c="var(--text-bad)" role="alert">
          {t('factors.copyFailed')}
        </Text>
      )}
      <VisuallyHidden role="status">{copying === 'done' && t('common.copied')}</VisuallyHidden>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('common.close')}
        </Button>
        <PrintCodes codes={codes} onPrinted={onKept} />
        <Button variant="default" leftSection={<IconDownload size={16} />} onClick={save}>
          {t('factors.codesSave')}
        </Button>
        <Button
          ref={button}
          leftSection={copying === 'done' ? <IconCheck size={16} /> : <IconCopy size={16} />}
          onClick={copy}
        >
          {t(copying === 'done' ? 'common.copied' : 'factors.codesCopy')}
        </Button>
      </Group>
    </Stack>
  )
}

interface PrintCodesProps {
  codes: string[]
  onPrinted: () => void
}

const PrintCodes = ({ codes, onPrinted }: PrintCodesProps) => {
  const { t } = useTranslation()
  const run = (): void => {
    print()
    onPrinted()
  }
  return (
    <>
      <Button variant="default" leftSection={<IconPrinter size={16} />} onClick={run}>
        {t('factors.codesPrint')}
      </Button>
      <Paper codes={codes} />
    </>
  )
}

/** The page prints only this element (app.css). A restricted session may read its own profile. */
const Paper = ({ codes }: { codes: string[] }) => {
  const { t } = useTranslation()
  const { data } = useQuery({
    queryKey: ['profile'],
    queryFn: ({ signal }) => client.profile.get({}, { signal }),
  })
  return createPortal(
    <section className="printed">
      <h1>{t('factors.codes')}</h1>
      <p>{location.origin}</p>
      <p>{data?.email}</p>
      <pre>{codes.join('\n')}</pre>
    </section>,
    document.body,
  )
}
