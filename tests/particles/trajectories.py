"""Writes small trajectories, and what other readers find in their frames and between them, for
tests/unit/test_trajectory.c.

    pip install ase MDAnalysis numpy ovito; python3 tests/particles/trajectories.py

A sample in trajectories.txt is a file with options and a place, and a line for each sphere: x y z element. Place 2.25 is
a quarter behind frame 2. A dash stands for what the other reader does not tell. OVITO counts the frames of each file, and
goes between frames of run.dump; ASE finds the nearest images between those of the others.
"""

import pathlib
import warnings

import ase
import ase.geometry
import ase.io
import MDAnalysis
import numpy
import ovito
import ovito.io
import ovito.modifiers

warnings.simplefilter("ignore")
FOLDER = pathlib.Path(__file__).parent
lines = []
random = numpy.random.default_rng(7)


def expect(name, place, positions, elements=None):
    lines.append(f"\nsample {place:g} {name}")
    for i, position in enumerate(positions):
        words = [f"{float(value):.9g}" for value in position] + ["-" if elements is None else str(elements[i])]
        lines.append(" ".join(words))


def count(name, frames):
    lines.append(f"\nframes {frames} {name}")


# ---- LAMMPS: atoms in any order, that leave the box and come in at its other side; the last frame lacks two ----

COUNT, FRAMES = 9, 4
low = numpy.array([-1.0, 2.0, 0.5])
cell = numpy.array([[8.0, 0, 0], [1.5, 7.0, 0], [-1.0, 0.75, 6.0]])
shares = random.uniform(0, 1, (COUNT, 3))
steps = random.normal(0, 0.12, (COUNT, 3))
with open(FOLDER / "run.dump", "w") as file:
    for frame in range(FRAMES):
        xy, xz, yz = cell[1, 0], cell[2, 0], cell[2, 1]
        bounds = [(low[0] + min(0, xy, xz, xy + xz), low[0] + cell[0, 0] + max(0, xy, xz, xy + xz), xy),
                  (low[1] + min(0, yz), low[1] + cell[1, 1] + max(0, yz), xz), (low[2], low[2] + cell[2, 2], yz)]
        atoms = random.permutation(COUNT)
        atoms = atoms if frame < FRAMES - 1 else [i for i in atoms if i not in (2, 5)]
        file.write(f"ITEM: TIMESTEP\n{frame * 50}\nITEM: NUMBER OF ATOMS\n{len(atoms)}\n"
                   "ITEM: BOX BOUNDS xy xz yz pp pp pp\n" + "".join(f"{a:.12g} {b:.12g} {t:.12g}\n" for a, b, t in bounds)
                   + "ITEM: ATOMS id type x y z mass\n")
        for i in atoms:
            x, y, z = low + ((shares[i] + frame * steps[i]) % 1) @ cell
            file.write(f"{10 * (i + 1)} {i % 3 + 1} {x:.9g} {y:.9g} {z:.9g} {1 + i}\n")
for frame in range(FRAMES):
    read = ase.io.read(FOLDER / "run.dump", index=frame, format="lammps-dump-text")
    expect("run.dump:radius=mass", frame + 1, read.positions)
pipeline = ovito.io.import_file(str(FOLDER / "run.dump"), sort_particles=True)
count("run.dump", pipeline.source.num_frames)
for frame in range(FRAMES - 2):  # OVITO knows no places within a frame of a file: by its own vectors of displacement
    pipeline.modifiers.clear()
    pipeline.modifiers.append(ovito.modifiers.CalculateDisplacementsModifier(
        use_frame_offset=True, frame_offset=-1, minimum_image_convention=True))
    there = pipeline.compute(frame + 1)
    end, way = numpy.array(there.particles.positions), numpy.array(there.particles["Displacement"])
    begin = numpy.array(pipeline.source.compute(frame).particles.positions)
    for share in (0.25, 0.5, 0.9):
        expect("run.dump:radius=mass", frame + 1 + share, begin + share * way)
begin, end = (ase.io.read(FOLDER / "run.dump", index=i, format="lammps-dump-text") for i in (2, 3))
ids = [10 * (i + 1) for i in range(COUNT)]
left = [10 * (i + 1) for i in range(COUNT) if i not in (2, 5)]
at = begin.positions.copy()  # two stay where they were
for i, number in enumerate(ids):
    if number in left:
        way = end.positions[left.index(number)] - at[i]
        at[i] += 0.5 * ase.geometry.find_mic(way, cell, pbc=True)[0]
expect("run.dump:radius=mass", 3.5, at)

# ---- extended XYZ of tests/particles/make.py, and one that is periodic along two sides only ----

atoms = ase.Atoms("C2H5OHNa", positions=random.normal(0, 4, (10, 3)), cell=[6, 7, 8, 80, 75, 95], pbc=[True, True, False])
frames = []
for _ in range(3):
    atoms = atoms.copy()
    atoms.positions += random.normal(0, 0.6, (10, 3))
    atoms.wrap(pbc=[True, True, False])
    frames.append(atoms)
ase.io.write(FOLDER / "slab.xyz", frames, format="extxyz")
frames = ase.io.read(FOLDER / "slab.xyz", index=":")
count("slab.xyz", ovito.io.import_file(str(FOLDER / "slab.xyz")).source.num_frames)
for i, frame in enumerate(frames):
    expect("slab.xyz", i + 1, frame.positions, frame.symbols)
for i in range(2):
    way = ase.geometry.find_mic(frames[i + 1].positions - frames[i].positions, frames[i].cell, frames[i].pbc)[0]
    expect("slab.xyz", i + 1.3, frames[i].positions + 0.3 * way, frames[i].symbols)

# ---- GRO and PDB, by MDAnalysis; a PDB of models has no box here ----

universe = MDAnalysis.Universe.empty(5, n_residues=2, atom_resindex=[0, 0, 0, 1, 1], trajectory=True)
universe.add_TopologyAttr("name", ["OW", "HW1", "HW2", "CA", "NA"])
universe.add_TopologyAttr("resname", ["SOL", "ALA"])
universe.add_TopologyAttr("resid", [1, 2])
universe.dimensions = [20, 21, 22, 90, 90, 90]
text = ""
for i in range(3):
    universe.atoms.positions = random.uniform(0, 20, (5, 3)).round(2)
    universe.atoms.write(FOLDER / "one.gro")
    text += (FOLDER / "one.gro").read_text()
    expect("run.gro", i + 1, MDAnalysis.Universe(str(FOLDER / "one.gro")).atoms.positions, ["O", "H", "H", "C", "N"])
(FOLDER / "one.gro").unlink()
(FOLDER / "run.gro").write_text(text)
count("run.gro", ovito.io.import_file(str(FOLDER / "run.gro")).source.num_frames)
models = MDAnalysis.Universe(str(FOLDER / "models.pdb"))
count("models.pdb", len(models.trajectory))
for i, frame in enumerate(models.trajectory):
    expect("models.pdb", i + 1, frame.positions)
count("frames.xyz", len(ase.io.read(FOLDER / "frames.xyz", index=":")))
count("skewed.lammpstrj", len(ase.io.read(FOLDER / "skewed.lammpstrj", index=":", format="lammps-dump-text")))

(FOLDER / "trajectories.txt").write_text("# Made by tests/particles/trajectories.py with " + ", ".join(
    f"{m.__name__} {getattr(m, '__version__', '')}" for m in (ase, MDAnalysis, numpy)) + f", ovito {ovito.version_string}.\n"
    + "\n".join(lines) + "\n")
