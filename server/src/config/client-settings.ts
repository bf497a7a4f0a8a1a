/** Settings about clients that register themselves. */
import { isClientHost, list, offOpenOr, oneOf } from './config-values.ts'

export const clientSettings = {
  clientDocuments: {
    name: 'TENANTRY_CLIENT_DOCUMENTS',
    default: 'off',
    meaning:
      'Clients whose `client_id` is the address of their metadata: `off`, `open` for those of every host, or the hosts, ' +
      'separated by commas. A host has a port only where the address has one.',
    read: offOpenOr(
      list(isClientHost, 'must be off, open, or host names in lower case, each with or without a port'),
    ),
  },
  clientRegistration: {
    name: 'TENANTRY_CLIENT_REGISTRATION',
    default: 'off',
    meaning: '`open`: any client may register itself at `/oauth2/register`. `off`: none may.',
    read: oneOf('off', 'open'),
  },
  mcp: {
    name: 'TENANTRY_MCP',
    default: 'off',
    meaning:
      '`on`: assistants work at `/mcp` for the people who consent (docs/assistants.md). `off`: the address is unknown.',
    read: oneOf('off', 'on'),
  },
}
