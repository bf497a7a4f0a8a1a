import { Button, Group, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useFieldChecks } from '../../components/field-checks.ts'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { useMe } from '../../session/me.ts'
import { useUpdateProfile } from './profile.queries.ts'

/** Changes the name that the console shows for the caller. */
export const NicknameForm = () => {
  const { t } = useTranslation()
  const notify = useNotify()
  const update = useUpdateProfile()
  const { nickname } = useMe().user
  const check = useFieldChecks()
  const form = useForm({ initialValues: { nickname }, validate: { nickname: check('nickname') } })
  const { onSubmit, isSending, error } = useSubmit(form, async (values) => {
    const user = await update({ nickname: values.nickname.trim() })
    form.setInitialValues({ nickname: user.nickname })
    form.reset()
    notify(t('ownProfile.saved'))
  })
  return (
    <form noValidate onSubmit={onSubmit}>
      {error !== undefined && <ErrorPanel error={error} />}
      <Group align="flex-end" mt="md">
        <TextInput
          label={t('fields.nickname')}
          description={t('ownProfile.nicknameHint')}
          autoComplete="nickname"
          flex="1 1 200px"
          {...form.getInputProps('nickname')}
        />
        <Button type="submit" loading={isSending} disabled={!form.isDirty()}>
          {t('common.save')}
        </Button>
      </Group>
    </form>
  )
}
