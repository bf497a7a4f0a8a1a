import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useFieldChecks } from '../../components/field-checks.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { client, reportSwitch } from '../../session/client.ts'

/** Afterwards the page has a session in the new tenant, and reloads. */
const useCreateForm = (username: string) => {
  const check = useFieldChecks()
  const form = useForm({
    initialValues: { organization: '', slug: '', username },
    validate: {
      organization: check('organization'),
      slug: (text) => (text === '' ? null : check('slug')(text)),
      username: check('username'),
    },
  })
  const sending = useSubmit(form, async ({ organization, slug, username: name }) => {
    const given = { organization: organization.trim(), username: name.trim() }
    await client.auth.createOrganization(slug === '' ? given : { ...given, slug })
    reportSwitch()
  })
  return { form, ...sending }
}

export const CreateOrganization = ({ username, onClose }: { username: string; onClose: () => void }) => {
  const { t } = useTranslation()
  const { form, onSubmit, isSending, error } = useCreateForm(username)
  return (
    <FormDialog isDirty={form.isDirty()} onClose={onClose} title={t('signUp.own')} isPending={isSending}>
      <form noValidate onSubmit={onSubmit}>
        <Stack>
          <Text size="sm" c="dimmed">
            {t('signUp.ownText')}
          </Text>
          {error !== undefined && <ErrorPanel error={error} />}
          <Fields form={form} />
          <Group justify="flex-end">
            <Button variant="default" disabled={isSending} onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={isSending}>
              {t('signUp.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  )
}

const Fields = ({ form }: Pick<ReturnType<typeof useCreateForm>, 'form'>) => {
  const { t } = useTranslation()
  return (
    <>
      <TextInput
        label={t('signUp.name')}
        autoComplete="organization"
        required
        data-autofocus
        {...form.getInputProps('organization')}
      />
      <TextInput
        label={t('signUp.slug')}
        description={t('signUp.slugHint')}
        autoComplete="off"
        {...form.getInputProps('slug')}
      />
      <TextInput
        label={t('fields.username')}
        description={t('fields.usernameHint')}
        autoComplete="off"
        required
        {...form.getInputProps('username')}
      />
    </>
  )
}
