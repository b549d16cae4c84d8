/* struct_conn.h: the bonds that an mmCIF lists. */
#ifndef GLINT_CORE_SCENE_PARTICLES_STRUCT_CONN_H
#define GLINT_CORE_SCENE_PARTICLES_STRUCT_CONN_H

#include "core/scene/particles/particles.h"

/* Particles.bonds: the pairs of the category struct_conn, by the column id of atoms. Hydrogen bonds and salt bridges
 * are none, nor are bonds to symmetric copies. Pairs of atoms that the file has not are left out. STATUS_INPUT without
 * such a category, STATUS_DEVICE without memory. */
Status struct_conn_bonds(const Particles *particles, Bonds *pairs);

#endif
