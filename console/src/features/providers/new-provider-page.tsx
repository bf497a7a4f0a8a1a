import { Button, Group, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { BackLink } from '../../components/back-link.tsx'
import { useFieldChecks } from '../../components/field-checks.ts'
import { PageForm } from '../../components/page-form.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { client } from '../../session/client.ts'
import { useTranslation } from '../../translation.ts'
import { useLackingOf } from '../roles/roles.queries.ts'
import { useFieldRefusals } from '../sso/sso.texts.ts'
import { WithPermissions } from '../sso/sso.views.tsx'
import { Guide } from './guide.tsx'
import { NameField, ProviderFields, type Form } from './provider-fields.tsx'
import { begin, createdFields, isSlug, kinds, type Kind, type Values } from './provider-kinds.ts'
import { useRenew } from '../../components/use-renew.ts'

const useCreate = () => {
  const { t } = useTranslation()
  const check = useFieldChecks()
  const navigate = useNavigate()
  const renew = useRenew()
  const [isDone, setDone] = useState(false)
  // The sign-in page shows the name on a button, so none is suggested for another provider.
  const first = (kind: Kind): Values =>
    kind === 'oidc' ? { ...begin(kind, ''), slug: '' } : begin(kind, t(`providerKinds.${kind}`))
  const form = useForm<Values>({
    initialValues: first('google'),
    validate: { name: check('roleName'), slug: (text) => (isSlug(text) ? null : t('providers.slugWrong')) },
  })
  const showRefusals = useFieldRefusals(form)
  const sending = useSubmit(form, async (values) => {
    const created = await client.providers.create(createdFields(values)).catch(showRefusals)
    if (!created) return
    setDone(true)
    await renew()
    await navigate({
      to: '/providers/$providerId',
      params: { providerId: created.id },
      ignoreBlocker: true,
    })
  })
  const choose = (kind: Kind): void => {
    form.clearErrors()
    form.setValues(first(kind))
  }
  return { form, choose, isDone, sending }
}

/** The redirect address of a provider that does not exist yet. The console is served at the public address. */
const callbackOf = (slug: string): string => `${location.origin}/sso/providers/${slug.trim()}/callback`

export const NewProviderPage = () => {
  const { t } = useTranslation()
  const lacking = useLackingOf('provider:manage')
  return (
    <>
      <BackLink to="/providers">{t('places.providers')}</BackLink>
      <PageHeader title={t('places.newProvider')} />
      <WithPermissions lacking={lacking}>
        <Create />
      </WithPermissions>
    </>
  )
}

const Create = () => {
  const { t } = useTranslation()
  const { form, choose, isDone, sending } = useCreate()
  const { kind, slug } = form.values
  return (
    <PageForm isDirty={form.isDirty() && !isDone} sending={sending}>
      <KindFields form={form} choose={choose} />
      <Guide kind={kind} callbackUrl={isSlug(slug) ? callbackOf(slug) : undefined} />
      <SectionCard title={t('providers.fromProvider')}>
        <Stack>
          <ProviderFields form={form} />
        </Stack>
      </SectionCard>
      <Group>
        <Button type="submit" loading={sending.isSending}>
          {t('providers.createDraft')}
        </Button>
      </Group>
    </PageForm>
  )
}

const KindFields = ({ form, choose }: { form: Form; choose: (kind: Kind) => void }) => {
  const { t } = useTranslation()
  return (
    <SectionCard title={t('places.provider')}>
      <Stack>
        <Radio.Group
          label={t('providers.kind')}
          value={form.values.kind}
          onChange={(value) => choose(kinds.find((one) => one === value) ?? 'oidc')}
        >
          <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }} mt="xs" spacing="xs">
            {kinds.map((one) => (
              <Radio key={one} value={one} label={t(`providerKinds.${one}`)} />
            ))}
          </SimpleGrid>
        </Radio.Group>
        <NameField form={form} />
        <TextInput
          label={t('providers.slug')}
          description={t('providers.slugHint')}
          required
          maw={420}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('slug')}
        />
      </Stack>
    </SectionCard>
  )
}
