import { Button, Collapse, Group, NativeSelect, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { GetInputPropsReturnType } from '@mantine/form'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { useTranslation } from '../../translation.ts'
import type { ProviderForm } from './metadata-field.tsx'
import { presets, type Protocol, type Provider } from './presets.ts'

const MetadataField = lazyPart(
  async () => (await import('./metadata-field.tsx')).MetadataField,
  <Skeleton height={180} />,
)

interface ProviderFieldsProps {
  form: ProviderForm
  provider: Provider
  type: Protocol
  /** True if the connection exists. Then issuer and subject are fixed, and an empty secret keeps the old secret. */
  isThere?: boolean
}

export const ProviderInputs = (props: ProviderFieldsProps) => (
  <>
    {props.type === 'oidc' ? <OidcInputs {...props} /> : <MetadataField {...props} />}
    <Details>{props.type === 'oidc' ? <Claims {...props} /> : <Attributes {...props} />}</Details>
  </>
)

const OidcInputs = ({ form, provider, isThere = false }: ProviderFieldsProps) => {
  const { t } = useTranslation()
  return (
    <>
      {!isThere && (
        <TextInput
          label={t('connections.issuer')}
          description={t(`ssoProviders.${provider}Issuer`)}
          placeholder={presets[provider].issuerExample}
          required
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('issuer')}
        />
      )}
      <TextInput
        label={t('connections.clientId')}
        description={t(`ssoProviders.${provider}Client`)}
        required
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('client_id')}
      />
      <PasswordField
        label={t('connections.clientSecret')}
        show={t('connections.showSecret')}
        description={t(isThere ? 'connections.secretKept' : 'connections.secretHint')}
        required={!isThere}
        autoComplete="new-password"
        {...form.getInputProps('client_secret')}
      />
    </>
  )
}

/** Fields that users rarely change, because the provider's preset fills them. */
const Details = ({ children }: { children: ReactNode }) => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <Stack gap="sm">
      <Group>
        <Button
          size="compact-sm"
          variant="subtle"
          aria-expanded={isOpen}
          onClick={() => setOpen((before) => !before)}
        >
          {t(isOpen ? 'connections.fewerFields' : 'connections.moreFields')}
        </Button>
      </Group>
      <Collapse expanded={isOpen}>
        <Stack>
          <Text size="sm" c="dimmed">
            {t('connections.fieldsHint')}
          </Text>
          {children}
        </Stack>
      </Collapse>
    </Stack>
  )
}

const plain = { autoComplete: 'off', spellCheck: false } as const

const Claims = ({ form, isThere = false }: ProviderFieldsProps) => {
  const { t } = useTranslation()
  return (
    <>
      {!isThere && (
        <NativeSelect
          label={t('connections.subject')}
          description={t('connections.subjectClaimHint')}
          data={['sub', 'oid']}
          {...form.getInputProps('subject_claim')}
        />
      )}
      <TextInput label={t('connections.emailClaim')} {...plain} {...form.getInputProps('email_claim')} />
      <TextInput label={t('connections.nameClaim')} {...plain} {...form.getInputProps('name_claim')} />
      <TextInput
        label={t('connections.groupsClaim')}
        description={t('connections.groupsClaimHint')}
        {...plain}
        {...form.getInputProps('groups_claim')}
      />
      <TextInput
        label={t('connections.scopes')}
        description={t('connections.scopesHint')}
        {...plain}
        {...form.getInputProps('scopes')}
      />
      <NativeSelect
        label={t('connections.authMethod')}
        data={['client_secret_basic', 'client_secret_post']}
        {...form.getInputProps('auth_method')}
      />
    </>
  )
}

const Attributes = ({ form, isThere = false }: ProviderFieldsProps) => {
  const { t } = useTranslation()
  return (
    <>
      {!isThere && (
        <TextInput
          label={t('connections.subject')}
          description={t('connections.subjectHint')}
          {...plain}
          {...form.getInputProps('subject')}
        />
      )}
      <TextInput
        label={t('connections.emailAttribute')}
        {...plain}
        {...form.getInputProps('email_attribute')}
      />
      <TextInput
        label={t('connections.nameAttribute')}
        {...plain}
        {...form.getInputProps('name_attribute')}
      />
      <TextInput
        label={t('connections.groupsAttribute')}
        description={t('connections.groupsClaimHint')}
        {...plain}
        {...form.getInputProps('groups_attribute')}
      />
    </>
  )
}

/** The name of a connection. The sign-in page shows it. */
export const NameField = ({ input }: { input: GetInputPropsReturnType }) => {
  const { t } = useTranslation()
  return (
    <TextInput
      label={t('fields.name')}
      description={t('connections.nameHint')}
      required
      maw={420}
      autoComplete="off"
      {...input}
    />
  )
}
