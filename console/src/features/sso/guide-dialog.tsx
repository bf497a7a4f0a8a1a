import { SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import entra from '../../../../docs/guides/entra-id.md?raw'
import google from '../../../../docs/guides/google-workspace.md?raw'
import keycloak from '../../../../docs/guides/keycloak.md?raw'
import okta from '../../../../docs/guides/okta.md?raw'
import { Dialog } from '../../components/dialog.tsx'
import { Table } from '../../components/table.tsx'
import entraZh from '../../locales/zh/guides/entra-id.md?raw'
import googleZh from '../../locales/zh/guides/google-workspace.md?raw'
import keycloakZh from '../../locales/zh/guides/keycloak.md?raw'
import oktaZh from '../../locales/zh/guides/okta.md?raw'
import { useTranslation, type Language } from '../../translation.ts'
import { Addresses, type Addressed } from './connection-parts.tsx'
import { guideBlocks, guideIntroduction, type GuideBlock } from './guide-blocks.ts'
import type { Guided, GuidePart } from './guide-button.tsx'

const guides: Record<Language, Record<Guided, string>> = {
  en: { entra, google, keycloak, okta },
  zh: { entra: entraZh, google: googleZh, keycloak: keycloakZh, okta: oktaZh },
}

const parts = ['oidc', 'saml', 'scim'] as const

const headings: Record<GuidePart, string> = { oidc: 'OpenID Connect', saml: 'SAML', scim: 'SCIM' }

interface GuideDialogProps {
  provider: Guided
  /** Absent if the reader chooses the part. */
  part?: GuidePart
  /** The guide shows the addresses of this connection above its text. */
  connection?: Addressed
  onClose: () => void
}

/** A part of one provider's guide: from docs/guides, or from the Chinese texts. */
export const GuideDialog = ({ provider, part: given, connection, onClose }: GuideDialogProps) => {
  const { t, language } = useTranslation()
  const [part, setPart] = useState(given ?? 'oidc')
  const guide = guides[language][provider]
  return (
    <Dialog
      opened
      onClose={onClose}
      size="xl"
      title={t('connections.guideOf', { provider: t(`ssoProviders.${provider}`) })}
    >
      <Stack>
        {given === undefined && (
          <SegmentedControl
            aria-label={t('connections.protocol')}
            value={part}
            onChange={(value) => setPart(parts.find((one) => one === value) ?? 'oidc')}
            data={parts.map((value) => ({ value, label: headings[value] }))}
          />
        )}
        {connection && part !== 'scim' && <Addresses connection={connection} />}
        <Stack gap="xs">
          <Text size="sm" className="breakable">
            {guideIntroduction(guide)}
          </Text>
          <Title order={3} size="h4">
            {headings[part]}
          </Title>
          {guideBlocks(guide, headings[part]).map((block, at) => (
            <GuideLine key={at} block={block} />
          ))}
        </Stack>
      </Stack>
    </Dialog>
  )
}

const GuideLine = ({ block }: { block: GuideBlock }) => {
  if (block.kind === 'table') return <GuideTable rows={block.rows} />
  return (
    <Text size="sm" className="breakable">
      {block.kind === 'item' ? `${block.number}. ${block.text}` : block.text}
    </Text>
  )
}

/** The fields of the API, as the form labels them. */
const labels = {
  issuer: 'connections.issuer',
  client_id: 'connections.clientId',
  client_secret: 'connections.clientSecret',
  auth_method: 'connections.authMethod',
  scopes: 'connections.scopes',
  subject: 'connections.subject',
  subject_claim: 'connections.subject',
  email_claim: 'connections.emailClaim',
  name_claim: 'connections.nameClaim',
  groups_claim: 'connections.groupsClaim',
  email_attribute: 'connections.emailAttribute',
  name_attribute: 'connections.nameAttribute',
  groups_attribute: 'connections.groupsAttribute',
} as const

const isLabelled = (name: string): name is keyof typeof labels => Object.hasOwn(labels, name)

const useLabelled = () => {
  const { t } = useTranslation()
  return (cell: string): string =>
    cell
      .split(', ')
      .map((name) => (isLabelled(name) ? t(labels[name]) : name))
      .join(', ')
}

const GuideTable = ({ rows: [head = [], ...rows] }: { rows: string[][] }) => {
  const labelled = useLabelled()
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          {head.map((cell) => (
            <Table.Th key={cell}>{cell}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((cells) => (
          <Table.Tr key={cells.join()}>
            {cells.map((cell, at) => (
              <Table.Td key={at} className="breakable">
                {at === 0 ? labelled(cell) : cell}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
