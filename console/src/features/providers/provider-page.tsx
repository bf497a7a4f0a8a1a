import { Button, Group, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconBan } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import type { Provider } from '@tenantry/client'
import { FactList } from '../../components/fact-list.tsx'
import { useFieldChecks } from '../../components/field-checks.ts'
import { confirmed, deletion, MoreMenu } from '../../components/more-menu.tsx'
import { ResourcePage } from '../../components/resource-page.tsx'
import { PageForm } from '../../components/page-form.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { client } from '../../session/client.ts'
import { useTranslation } from '../../translation.ts'
import { useLackingOf } from '../roles/roles.queries.ts'
import { useFieldRefusals } from '../sso/sso.texts.ts'
import { ConnectionStatus, MissingPermissions } from '../sso/sso.views.tsx'
import { Guide } from './guide.tsx'
import { NameField, ProviderFields, type Form } from './provider-fields.tsx'
import { changedFields, valuesOf, type Values } from './provider-kinds.ts'
import { useProvider } from './providers.queries.ts'
import { TestProvider } from './test-provider.tsx'
import { useRenew } from '../../components/use-renew.ts'

const route = getRouteApi('/shell/providers/$providerId')

interface OfProvider {
  provider: Provider
}

export const ProviderPage = () => {
  const { t } = useTranslation()
  const provider = useProvider(route.useParams().providerId)
  const { test } = route.useSearch()
  const lacking = useLackingOf('provider:manage')
  const canChange = lacking?.length === 0
  return (
    <ResourcePage of="/providers" query={{ ...provider, data: lacking && provider.data }} height={480}>
      {(data) => (
        <>
          <PageHeader
            title={data.name}
            description={t(`providerKinds.${data.kind}`)}
            marks={<ConnectionStatus status={data.status} />}
            actions={canChange && <Actions provider={data} />}
          />
          <MissingPermissions lacking={lacking ?? []} />
          <Stack maw={900}>
            {canChange && <TestProvider provider={data} result={test} />}
            <Guide kind={data.kind} callbackUrl={data.callback_url} />
            <FromProvider provider={data} canChange={canChange} />
          </Stack>
        </>
      )}
    </ResourcePage>
  )
}

const Actions = ({ provider: { id, name, status } }: OfProvider) => {
  const { t } = useTranslation()
  return (
    <MoreMenu
      actions={[
        status === 'active' &&
          confirmed(IconBan, {
            title: t('providers.disableOne', { name }),
            confirm: t('providers.disable'),
            send: () => client.providers.update(id, { status: 'disabled' }),
            done: t('providers.isDisabled', { name }),
            children: t('providers.disableText'),
          }),
        deletion({
          title: t('providers.deleteOne', { name }),
          confirm: t('providers.delete'),
          word: name,
          send: () => client.providers.delete(id),
          leaveTo: '/providers',
          done: t('providers.isDeleted', { name }),
          children: t('providers.deleteText'),
        }),
      ]}
    />
  )
}

const FromProvider = ({ provider, canChange }: OfProvider & { canChange: boolean }) => {
  const { t } = useTranslation()
  return (
    <SectionCard title={t('providers.fromProvider')}>
      <Stack>
        <FixedValues provider={provider} isWhole={!canChange} />
        {canChange && <Fields provider={provider} />}
      </Stack>
    </SectionCard>
  )
}

const FixedValues = ({ provider, isWhole }: OfProvider & { isWhole: boolean }) => {
  const { t } = useTranslation()
  return (
    <FactList
      facts={[
        [t('providers.slug'), provider.slug],
        [t('providers.issuer'), provider.issuer],
        [t('providers.tenant'), provider.tenant],
        [t('providers.clientId'), isWhole ? provider.client_id : undefined],
        [t('providers.scopes'), isWhole ? provider.scopes : undefined],
      ]}
    />
  )
}

const useSave = ({ id }: Provider, form: Form) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const renew = useRenew()
  const showRefusals = useFieldRefusals(form)
  return useSubmit(form, async (values) => {
    try {
      await client.providers.update(id, changedFields(values))
    } catch (err) {
      return showRefusals(err)
    }
    notify(t('providers.saved'))
    // No answer shows the secret, so the form drops it too.
    form.setFieldValue('client_secret', '')
    form.resetDirty({ ...values, client_secret: '' })
    return renew()
  })
}

const Fields = ({ provider }: OfProvider) => {
  const { t } = useTranslation()
  const check = useFieldChecks()
  const form = useForm<Values>({ initialValues: valuesOf(provider), validate: { name: check('roleName') } })
  const sending = useSave(provider, form)
  return (
    <PageForm isDirty={form.isDirty()} sending={sending}>
      <NameField form={form} />
      <ProviderFields form={form} isThere />
      <Group>
        <Button type="submit" loading={sending.isSending} disabled={!form.isDirty()}>
          {t('common.save')}
        </Button>
      </Group>
    </PageForm>
  )
}
