import { Stack, Text, Title } from '@mantine/core'
import type { Connection } from '@tenantry/client'
import entra from '../../../../docs/guides/entra-id.md?raw'
import google from '../../../../docs/guides/google-workspace.md?raw'
import keycloak from '../../../../docs/guides/keycloak.md?raw'
import okta from '../../../../docs/guides/okta.md?raw'
import { Dialog } from '../../components/dialog.tsx'
import { Table } from '../../components/table.tsx'
import { useTranslation } from '../../translation.ts'
import { Addresses } from './addresses.tsx'
import { guideBlocks, type GuideBlock } from './guide-blocks.ts'
import type { Guided } from './guide-button.tsx'

const guides: Record<Guided, string> = { entra, google, keycloak, okta }

const parts = ['OpenID Connect', 'SAML', 'SCIM'] as const

interface GuideDialogProps {
  provider: Guided
  /** Its addresses stand above the guide. */
  connection: Connection | undefined
  onClose: () => void
}

/** The guide of one provider, as docs/guides has it: in English. */
export const GuideDialog = ({ provider, connection, onClose }: GuideDialogProps) => {
  const { t } = useTranslation()
  return (
    <Dialog
      opened
      onClose={onClose}
      size="xl"
      title={t('connections.guideOf', { provider: t(`ssoProviders.${provider}`) })}
    >
      <Stack>
        {connection && <Addresses connection={connection} />}
        {parts.map((part) => (
          <Stack key={part} gap="xs" lang="en">
            <Title order={3} size="h4">
              {part}
            </Title>
            {guideBlocks(guides[provider], part).map((block, at) => (
              <GuideLine key={at} block={block} />
            ))}
          </Stack>
        ))}
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

const GuideTable = ({ rows: [head = [], ...rows] }: { rows: string[][] }) => (
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
              {cell}
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)
