import { Button, Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { saveFile } from '../../components/save-file.ts'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { client } from '../../session/client.ts'

const useExportForm = (onClose: () => void) => {
  const { t } = useTranslation()
  const notify = useNotify()
  // The service's refusal of the password names this field.
  const form = useForm({ initialValues: { old_password: '' } })
  const sending = useSubmit(form, async ({ old_password: password }) => {
    const file = await client.auth.exportAccount({ password })
    const day = new Date().toISOString().slice(0, 10)
    saveFile([await file.blob()], `personal-data-${day}.json`, 'application/json')
    notify(t('memberships.exported'))
    onClose()
  })
  return { form, ...sending }
}

/** Asks for the password, then saves the stored data of the person as a file. */
export const ExportAccount = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const { form, onSubmit, isSending, error } = useExportForm(onClose)
  return (
    <FormDialog
      isDirty={form.isDirty()}
      onClose={onClose}
      title={t('memberships.exportTitle')}
      isPending={isSending}
    >
      <form noValidate onSubmit={onSubmit}>
        <Stack>
          <Text size="sm">{t('memberships.exportAsk')}</Text>
          {error !== undefined && <ErrorPanel error={error} />}
          <PasswordField
            label={t('profile.oldPassword')}
            autoComplete="current-password"
            required
            data-autofocus
            {...form.getInputProps('old_password')}
          />
          <Group justify="flex-end">
            <Button variant="default" disabled={isSending} onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={isSending} disabled={!form.isDirty()}>
              {t('memberships.exportConfirm')}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  )
}
