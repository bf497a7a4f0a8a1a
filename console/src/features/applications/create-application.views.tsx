import { NativeSelect, Radio, Stack, Switch, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Application, CreatedApplication } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { useFieldChecks } from '../../components/field-checks.ts'
import { DialogForm, FormDialog } from '../../components/form-dialog.tsx'
import { SecretDialog } from '../../components/secret-dialog.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { client } from '../../session/client.ts'
import { useMe } from '../../session/me.ts'
import { AddressField, useAddressCheck } from './address-field.tsx'
import { linesOf, originsOf } from './addresses.ts'
import { kinds } from './applications.search.ts'
import { Snippet } from './snippet.tsx'
import { frameworks, frameworksOf, type FrameworkId } from './snippets.ts'
import { NameInput } from '../../components/named-form.tsx'
import { useRenew } from '../../components/use-renew.ts'

/** The fields have the names of the API, so that its refusals appear beside them. */
type Values = {
  name: string
  kind: Application['kind']
  framework: FrameworkId
  is_third_party: boolean
  redirect_uris: string
}

const firstOf = (kind: Application['kind']): Pick<Values, 'framework' | 'redirect_uris'> => {
  const [framework = 'native'] = frameworksOf(kind)
  return { framework, redirect_uris: frameworks[framework].redirectUri }
}

/** Does not use the query client, because its cache would keep the secret. */
const useCreate = () => {
  const check = useFieldChecks()
  const { can } = useMe()
  const renew = useRenew()
  const [created, setCreated] = useState<CreatedApplication>()
  const [chosen, setKind] = useState<Application['kind']>('web')
  const checkAddresses = useAddressCheck(chosen, true)
  const form = useForm<Values>({
    initialValues: { name: '', kind: chosen, is_third_party: !can('tenant:enter'), ...firstOf(chosen) },
    validate: { name: check('roleName'), redirect_uris: checkAddresses },
  })
  const sending = useSubmit(form, async ({ name, kind, is_third_party, redirect_uris: text }) => {
    const redirectUris = linesOf(text)
    const origins = originsOf(kind, redirectUris)
    setCreated(
      await client.applications.create({
        name,
        kind,
        is_third_party,
        redirect_uris: redirectUris,
        post_logout_redirect_uris: origins,
        allowed_origins: kind === 'browser' ? origins : [],
        grant_types: ['authorization_code', 'refresh_token'],
      }),
    )
    await renew()
  })
  const chooseKind = (kind: Application['kind']): void => {
    setKind(kind)
    form.setValues({ kind, ...firstOf(kind) })
  }
  return { form, created, chooseKind, ...sending }
}

type Creating = ReturnType<typeof useCreate>

/** Asks for a new application. Then shows its secret once, with code for a start. */
export const CreateApplicationDialog = ({ onClose }: { onClose: () => void }) => {
  const { t, textsOf } = useTranslation()
  const creating = useCreate()
  const { form, created, isSending } = creating
  const isCreated = t('applications.isCreated', { name: created?.name })
  if (created && created.secret === undefined) {
    return (
      <FormDialog isDirty={false} title={isCreated} onClose={onClose}>
        <Next created={created} framework={form.values.framework} />
      </FormDialog>
    )
  }
  return (
    <SecretDialog
      title={t('places.createApplication')}
      secret={created?.secret}
      texts={textsOf('applicationSecrets')}
      created={isCreated}
      isDirty={form.isDirty()}
      isPending={isSending}
      onClose={onClose}
      next={created && <Next created={created} framework={form.values.framework} />}
    >
      <CreateForm creating={creating} onClose={onClose} />
    </SecretDialog>
  )
}

const Next = ({ created, framework }: { created: CreatedApplication; framework: FrameworkId }) => {
  const { t } = useTranslation()
  return (
    <Stack gap="xs">
      <Snippet application={created} initial={framework} />
      <TextLink to="/applications/$applicationId" params={{ applicationId: String(created.id) }} size="sm">
        {t('applications.open')}
      </TextLink>
    </Stack>
  )
}

const CreateForm = ({ creating, onClose }: { creating: Creating; onClose: () => void }) => {
  const { t } = useTranslation()
  const { form } = creating
  return (
    <DialogForm sending={creating} submit={t('places.createApplication')} onCancel={onClose}>
      <NameInput description={t('applications.nameHint')} {...form.getInputProps('name')} />
      <KindFields creating={creating} />
      <Owner creating={creating} />
      <AddressField
        kind={form.values.kind}
        label={t('applications.redirectUris')}
        description={t(
          form.values.kind === 'native' ? 'applications.redirectUrisHint' : 'applications.createUrisHint',
        )}
        placeholder="https://shop.example.com/callback"
        required
        input={form.getInputProps('redirect_uris')}
      />
    </DialogForm>
  )
}

const KindFields = ({ creating: { form, chooseKind } }: { creating: Creating }) => {
  const { t } = useTranslation()
  const { kind } = form.values
  const choose = (id: FrameworkId): void =>
    form.setValues({ framework: id, redirect_uris: frameworks[id].redirectUri })
  const choices = frameworksOf(kind)
  return (
    <>
      <Radio.Group
        label={t('applications.kind')}
        description={t('applications.kindHint')}
        value={kind}
        onChange={(value) => chooseKind(kinds.find((one) => one === value) ?? 'web')}
      >
        <Stack gap="xs" mt="xs">
          {kinds.map((one) => (
            <Radio
              key={one}
              value={one}
              label={t(`applicationKinds.${one}`)}
              description={t(`applicationKindTexts.${one}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      <NativeSelect
        label={t('applications.library')}
        description={t('applications.libraryHint')}
        value={form.values.framework}
        data={choices.map((id) => ({ value: id, label: frameworks[id].name }))}
        onChange={({ currentTarget: { value } }) => choose(choices.find((id) => id === value) ?? 'native')}
      />
    </>
  )
}

/** An application of the installation itself acts for every user without consent. */
const Owner = ({ creating: { form } }: { creating: Creating }) => {
  const { t } = useTranslation()
  if (!useMe().can('tenant:enter')) {
    return (
      <Text size="sm" c="dimmed">
        {t('applications.onlyThirdParty')}
      </Text>
    )
  }
  return (
    <Switch
      label={t('applications.isThirdParty')}
      description={t('applications.isThirdPartyHint')}
      {...form.getInputProps('is_third_party', { type: 'checkbox' })}
    />
  )
}
