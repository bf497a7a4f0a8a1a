import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { domainOf } from './domain-name.ts'
import { useRenewSso } from './sso.queries.ts'

export const AddDomain = () => {
  const { t } = useTranslation()
  const { api } = useScope()
  const renew = useRenewSso()
  const form = useForm({
    initialValues: { domain: '' },
    validate: { domain: (text) => (/\S\.\S/.test(domainOf(text)) ? null : t('domains.wrong')) },
  })
  const { onSubmit, isSending, error } = useSubmit(form, async ({ domain }) => {
    await api.sso.createDomain({ domain: domainOf(domain) })
    form.reset()
    await renew()
  })
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="sm">
        {error !== undefined && <ErrorPanel error={error} />}
        <Group gap="sm" align="flex-end">
          <TextInput
            label={t('domains.add')}
            description={t('domains.addHint')}
            placeholder="example.com"
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            flex={1}
            miw={200}
            maw={420}
            {...form.getInputProps('domain')}
          />
          <Button type="submit" variant="default" loading={isSending}>
            {t('domains.add')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
